/**
 * The targets of a monitor: pages by URL, the pages of a crawl, or the results of searches.
 *
 * A target keeps its `id` as long as it is watched: its pages are compared with those of the same id.
 */
import * as Schema from "effect/Schema"
import * as Bounds from "./api/Bounds.ts"
import { clientFields } from "./api/ClientFields.ts"
import * as JsonRules from "./api/JsonRules.ts"
import { crawlOptions } from "./Crawl.ts"
import { HttpUrl } from "./HttpUrl.ts"
import * as Limits from "./Limits.ts"
import { ScrapeOptions } from "./ScrapeOptions.ts"
import { CrawlWebhook } from "./Webhook.ts"

const TargetId = Schema.optional(Bounds.filled(100))

const scrapeOptions = Bounds.orNull(
  ScrapeOptions.annotate({
    description: "how each page is scraped; a changeTracking format with a schema watches the fields of the schema"
  })
)

/** A target of single pages. */
export const ScrapeTarget = Schema.Struct({
  id: TargetId,
  type: Schema.Literal("scrape"),
  urls: Schema.Array(HttpUrl).check(Schema.isMinLength(1), Schema.isMaxLength(Limits.maxMonitorUrls)),
  scrapeOptions
})

/** A target of the pages of a crawl. */
export const CrawlTarget = Schema.Struct({
  id: TargetId,
  type: Schema.Literal("crawl"),
  url: HttpUrl,
  crawlOptions: Bounds.orNull(
    Schema.Struct({
      ...crawlOptions,
      maxDepth: Bounds.orNull(
        Bounds.whole(0).annotate({
          description: "the same as maxDiscoveryDepth, which overrides it"
        })
      ),
      /** Accepted and ignored: some clients send it for all crawls, but a monitor has its own webhook. */
      webhook: Schema.optional(Schema.NullOr(CrawlWebhook)),
      ...clientFields
    })
  ),
  scrapeOptions
})

/** The maximum age of results, and the `tbs` of a search for it. */
export const searchWindows = {
  "5m": "qdr:h",
  "15m": "qdr:h",
  "1h": "qdr:h",
  "6h": "qdr:d",
  "24h": "qdr:d",
  "7d": "qdr:w"
} as const

const Domains = Bounds.list(Bounds.filled(2000).check(JsonRules.format("host-name")), 100)

/** A target of the results of searches. */
export const SearchTarget = Schema.Struct({
  id: TargetId,
  type: Schema.Literal("search"),
  queries: Schema.Array(
    Schema.String.check(
      Schema.isMaxLength(Limits.maxQueryLength),
      Schema.makeFilter(
        (text: string) => text.trim() !== "" || "is empty: name what to look for",
        JsonRules.as(JsonRules.filled)
      )
    )
  ).check(Schema.isMinLength(1), Schema.isMaxLength(Limits.maxMonitorQueries)),
  searchWindow: Bounds.orNull(Schema.Literals(["5m", "15m", "1h", "6h", "24h", "7d"])),
  includeDomains: Bounds.orNull(Domains),
  excludeDomains: Bounds.orNull(Domains),
  maxResults: Bounds.orNull(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Limits.maxMonitorResults })))
}).check(
  Schema.makeFilter(
    ({ excludeDomains, includeDomains }) =>
      (includeDomains ?? []).length > 0 && (excludeDomains ?? []).length > 0
        ? { path: ["excludeDomains"], issue: "cannot be given together with includeDomains" }
        : true,
    JsonRules.as(JsonRules.notBoth("includeDomains", "excludeDomains"))
  )
)

const expected = 'Expected a target: { type: "scrape", urls }, { type: "crawl", url } or { type: "search", queries }'

/** A target of a monitor: pages, a crawl, or searches. */
export const Target = Schema.Union([ScrapeTarget, CrawlTarget, SearchTarget]).annotate({
  identifier: "MonitorTarget",
  message: expected
})
export type Target = typeof Target.Type

/** The targets of a monitor. */
export const Targets = Schema.Array(Target).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(Limits.maxMonitorTargets),
  Schema.makeFilter(
    (targets: ReadonlyArray<Target>) => {
      const ids = targets.flatMap(({ id }) => id ?? [])
      return new Set(ids).size === ids.length || "two targets have the same id: give each its own"
    },
    JsonRules.as({ description: "each target has an id of its own" })
  )
)
