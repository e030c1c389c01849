/**
 * The targets of a monitor: pages by URL, the pages of a crawl, or the results of searches.
 *
 * A target keeps its `id` as long as it is watched. Its pages are compared with earlier pages of the same target id.
 */
import * as Schema from "effect/Schema"
import * as Bounds from "./Bounds.ts"
import { clientFields } from "./ClientFields.ts"
import { crawlOptions } from "./Crawl.ts"
import { HttpUrl } from "./HttpUrl.ts"
import * as JsonRules from "./JsonRules.ts"
import * as Limits from "./Limits.ts"
import { ScrapeOptions } from "./ScrapeOptions.ts"
import { CrawlWebhook } from "./Webhook.ts"

const silent = <S extends Schema.Constraint>(schema: S) => Schema.optional(Schema.NullOr(schema))

const TargetId = Schema.optional(Bounds.filled(100))

const scrapeOptions = silent(
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

/** A target whose pages a crawl finds. */
export const CrawlTarget = Schema.Struct({
  id: TargetId,
  type: Schema.Literal("crawl"),
  url: HttpUrl,
  crawlOptions: silent(
    Schema.Struct({
      ...crawlOptions,
      maxDepth: silent(
        Bounds.whole(0).annotate({
          description: "the same as maxDiscoveryDepth, which overrides it"
        })
      ),
      /** Accepted and ignored: clients send it because they use one shape for all crawls. A monitor sends its own events. */
      webhook: Schema.optional(Schema.NullOr(CrawlWebhook)),
      ...clientFields
    })
  ),
  scrapeOptions
})

/** The maximum age of search results, with the `tbs` value of the search for each. */
export const searchWindows = {
  "5m": "qdr:h",
  "15m": "qdr:h",
  "1h": "qdr:h",
  "6h": "qdr:d",
  "24h": "qdr:d",
  "7d": "qdr:w"
} as const

const Domains = Bounds.list(Bounds.filled(2000).check(JsonRules.format("host-name")), 100)

/** A target whose pages searches find. */
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
  searchWindow: silent(Schema.Literals(["5m", "15m", "1h", "6h", "24h", "7d"])),
  includeDomains: silent(Domains),
  excludeDomains: silent(Domains),
  maxResults: silent(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Limits.maxMonitorResults })))
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

/** All targets of a monitor. */
export const Targets = Schema.Array(Target).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(Limits.maxMonitorTargets),
  Schema.makeFilter(
    (targets: ReadonlyArray<Target>) => {
      const ids = targets.flatMap(({ id }) => id ?? [])
      return new Set(ids).size === ids.length || "two targets have the same id: give each target its own"
    },
    JsonRules.as({ description: "each target has an id of its own" })
  )
)
