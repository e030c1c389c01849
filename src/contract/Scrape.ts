/**
 * The scrape group: scrapes one page, and answers with it. For 24 hours it can be read again by its `metadata.scrapeId`.
 */
import * as Schema from "effect/Schema"
import { clientFields } from "./api/ClientFields.ts"
import * as JsonRules from "./api/JsonRules.ts"
import { CatalogCall, CatalogResult } from "./Exchange.ts"
import { HttpUrl } from "./HttpUrl.ts"
import { PageDocument } from "./PageDocument.ts"
import * as ScrapeOptions from "./ScrapeOptions.ts"

/** The maximum number of calls of one request. */
const maxCalls = 10

/**
 * The body of POST /v2/scrape: a page, or calls of the catalog: one as `catalog`, or several as `alexandria`, as public
 * clients send them.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { ScrapeRequest } from "millrace/api"
 *
 * const isRequest = Schema.is(ScrapeRequest)
 * console.log(isRequest({ url: "https://docs.example.com", formats: ["markdown"] }), isRequest({})) // true false
 * ```
 */
export const ScrapeRequest = Schema.Struct({
  url: Schema.optional(HttpUrl),
  ...ScrapeOptions.fields,
  catalog: Schema.optional(CatalogCall),
  alexandria: Schema.optional(Schema.Array(CatalogCall).check(Schema.isMinLength(1), Schema.isMaxLength(maxCalls))),
  ...clientFields
})
  .check(
    Schema.makeFilter(
      ({ alexandria, catalog, url }) => {
        const targets = [url, catalog, alexandria].filter((one) => one !== undefined).length
        if (targets === 0) return { path: ["url"], issue: "is missing" }
        return targets === 1 || { path: ["catalog"], issue: "is a request of its own: leave out url and alexandria" }
      },
      JsonRules.as({ ...JsonRules.exactlyOne("url", "catalog", "alexandria"), ...JsonRules.keepsNoHistory() })
    )
  )
  .annotate({ identifier: "ScrapeRequest" })
export type ScrapeRequest = typeof ScrapeRequest.Type

/** The results of calls of the catalog. If one of several fails, its result has the error. */
export const CatalogAnswer = Schema.Struct({
  success: Schema.Literal(true),
  scrape_id: Schema.String,
  data: Schema.Struct({
    catalog: Schema.optionalKey(CatalogResult),
    alexandria: Schema.optionalKey(Schema.Array(CatalogResult)),
    creditsCost: Schema.Int
  })
})
export type CatalogAnswer = typeof CatalogAnswer.Type

export const ScrapeResult = Schema.Struct({ success: Schema.Literal(true), data: PageDocument })

/** The answer of a scrape. If a page could not be fetched because of its site, it is 200 with success false, code and error. */
export const ScrapeAnswer = Schema.Union([
  ScrapeResult,
  CatalogAnswer,
  Schema.Struct({ success: Schema.Literal(false), code: Schema.String, error: Schema.String })
])
export type ScrapeAnswer = typeof ScrapeAnswer.Type
