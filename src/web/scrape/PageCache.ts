/**
 * Pages that were scraped before, for requests that accept a copy of a certain age.
 *
 * A copy answers only the same team, the same URL and the same options. What belongs to one moment (actions, change
 * tracking, an error of the site) is never kept.
 */
import * as crypto from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as LargeJson from "#base/LargeJson"
import { PageDocument } from "#contract/PageDocument"
import * as PageUrl from "#contract/PageUrl"
import * as ScrapeOptions from "#contract/ScrapeOptions"
import { FetchError } from "../Fetch.ts"
import type { PageToScrape } from "../PageDocuments.ts"
import type { ScrapePlan } from "../ScrapePlan.ts"
import { ScrapeStore } from "../ScrapeStore.ts"

/** A document with what a crawl needs in addition. */
const CachedPage = Schema.Struct({
  document: PageDocument,
  links: Schema.Array(Schema.String),
  refresh: Schema.optionalKey(Schema.String),
  /** The site sends a shell that scripts fill (`scriptShell`): this is the page as sent, or as a browser shows it. */
  shell: Schema.optionalKey(Schema.Literals(["empty", "rendered"]))
})
export type CachedPage = typeof CachedPage.Type

const CopyText = Schema.fromJsonString(CachedPage)
const decode = Schema.decodeUnknownOption(CopyText)

/** A larger document is not kept. */
const maxText = 5 * 1024 * 1024

/** A copy that the plan accepts. Fails if the plan accepts only a copy and there is none. */
export const find = Effect.fnUntraced(function* (plan: ScrapePlan, order: PageToScrape) {
  const { maxAge = 0, minAge } = plan.options
  if ((maxAge <= 0 && minAge === undefined) || !isKeepable(plan)) return yield* nothing(plan, order)
  const store = yield* ScrapeStore
  const copy = Option.getOrUndefined(yield* store.copy(keyOf(plan, order)))
  if (copy === undefined) return yield* nothing(plan, order)
  const age = (yield* Clock.currentTimeMillis) - copy.cachedAt
  if (age < (minAge ?? 0) || age > (maxAge > 0 ? maxAge : Number.POSITIVE_INFINITY)) return yield* nothing(plan, order)
  const page = Option.getOrUndefined(decode(copy.text))
  if (page === undefined) return yield* nothing(plan, order)
  const cachedAt = new Date(copy.cachedAt).toISOString()
  const { metadata: own } = page.document
  // A copy cost no bytes from the site.
  const came = own.wireBytes === undefined ? {} : { wireBytes: 0 }
  const metadata = { ...own, ...came, scrapeId: order.scrapeId, cacheState: "hit" as const, cachedAt }
  const cachedPage: CachedPage = { ...page, document: { ...page.document, metadata } }
  return cachedPage
})

export const keep = Effect.fnUntraced(function* (plan: ScrapePlan, order: PageToScrape, page: CachedPage) {
  const { statusCode } = page.document.metadata
  if (
    plan.keepsNothing === true ||
    !(plan.options.storeInCache ?? order.keeps) ||
    !isKeepable(plan) ||
    statusCode < 200 ||
    statusCode > 299 ||
    LargeJson.leastLength(page.document) > maxText
  )
    return
  const text = yield* LargeJson.text(page)
  if (text.length > maxText) return
  const store = yield* ScrapeStore
  yield* store.keep(keyOf(plan, order), text)
})

const nothing = (plan: ScrapePlan, order: PageToScrape): Effect.Effect<undefined, FetchError> =>
  plan.options.minAge === undefined
    ? Effect.succeed(undefined)
    : Effect.fail(
        new FetchError({
          url: order.url,
          code: "SCRAPE_NO_CACHED_DATA",
          message: "no stored copy of the page is old enough, and with minAge the page is not fetched",
          retryable: false
        })
      )

const isKeepable = ({ options, formats }: ScrapePlan): boolean =>
  (options.actions ?? []).length === 0 && !formats.has("changeTracking")

/** Options that change how a page is fetched, not its content. */
const immaterial = new Set(["timeout", "maxAge", "minAge", "storeInCache", "fastMode", "blockAds", "proxy"])
const material = Object.keys(ScrapeOptions.fields)
  .filter((name) => !immaterial.has(name))
  .toSorted()

const keyOf = ({ options }: ScrapePlan, { teamId, url }: PageToScrape): string => {
  const values = new Map<string, unknown>(Object.entries(options))
  const parts = [
    teamId,
    PageUrl.normalize(url.trim())?.href ?? url,
    ...material.map((name) => values.get(name) ?? null)
  ]
  return crypto.hash("sha256", JSON.stringify(parts))
}
