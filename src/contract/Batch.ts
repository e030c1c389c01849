/**
 * The batch group: scrapes many given URLs as one job (`public-clients`, section 2).
 */
import * as Schema from "effect/Schema"
import * as Bounds from "./api/Bounds.ts"
import { clientFields } from "./api/ClientFields.ts"
import * as JsonRules from "./api/JsonRules.ts"
import * as Limits from "./Limits.ts"
import * as ScrapeOptions from "./ScrapeOptions.ts"
import { BatchWebhook } from "./Webhook.ts"

/**
 * The body of POST /v2/batch/scrape: URLs, and how to read each page.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { BatchRequest } from "millrace/api"
 *
 * const request = Schema.decodeUnknownSync(BatchRequest)({ urls: ["https://docs.example.com/a", "https://docs.example.com/b"] })
 * console.log(request.urls.length) // 2
 * ```
 */
export const BatchRequest = Schema.Struct({
  urls: Schema.Array(Bounds.text(Limits.maxUrlLength).check(JsonRules.format("url"))).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(Limits.maxBatchUrls)
  ),
  ...ScrapeOptions.fields,
  ignoreInvalidURLs: Schema.optional(Schema.Boolean),
  maxConcurrency: Schema.optional(Schema.NullOr(Bounds.whole(1))),
  webhook: Schema.optional(Schema.NullOr(BatchWebhook)),
  appendToId: Schema.optional(Schema.NullOr(Bounds.name)),
  ...clientFields
})
  .check(
    Schema.makeFilter(() => true, JsonRules.as({ ...JsonRules.urls(JsonRules.url), ...JsonRules.keepsNoHistory() }))
  )
  .annotate({ identifier: "BatchRequest" })
export type BatchRequest = typeof BatchRequest.Type

/** The answer to the start of a batch: its id, and the invalid URLs that were left out. */
export const BatchStarted = Schema.Struct({
  success: Schema.Literal(true),
  id: Schema.String,
  url: Schema.String,
  invalidURLs: Schema.Array(Schema.String)
})
