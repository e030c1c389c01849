/**
 * The batch group: many pages, each scraped as given, as one job (`public-clients`, section 2).
 */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import * as Bounds from "./Bounds.ts"
import { clientFields } from "./ClientFields.ts"
import { CrawlErrors, CrawlStatus, jobErrors, jobParams, pageQuery } from "./Crawl.ts"
import * as JsonRules from "./JsonRules.ts"
import * as Limits from "./Limits.ts"
import * as ScrapeOptions from "./ScrapeOptions.ts"
import { BatchWebhook } from "./Webhook.ts"

/**
 * The body of POST /v2/batch/scrape: addresses, and how each page is read.
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

/** The answer to the start of a batch: its id, and addresses that were left out. */
export const BatchStarted = Schema.Struct({
  success: Schema.Literal(true),
  id: Schema.String,
  url: Schema.String,
  invalidURLs: Schema.Array(Schema.String)
})

/**
 * The endpoints of batches: start one, read its status and errors, cancel it.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { WebData } from "millrace/client"
 * import { Embedded, ServiceConfig } from "millrace/service"
 *
 * const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
 * const urls = ["https://your.site/about", "not an address"]
 * const started = Effect.flatMap(WebData, ({ batch }) => batch.start({ payload: { urls, ignoreInvalidURLs: true } }))
 * console.log((await Effect.runPromise(Effect.provide(started, service))).invalidURLs) // ["not an address"]
 * ```
 */
export class BatchGroup extends HttpApiGroup.make("batch").add(
  HttpApiEndpoint.post("start", "/batch/scrape", {
    payload: BatchRequest,
    success: BatchStarted,
    error: jobErrors
  }),
  HttpApiEndpoint.get("status", "/batch/scrape/:id", {
    params: jobParams,
    query: pageQuery,
    success: CrawlStatus,
    error: jobErrors
  }),
  HttpApiEndpoint.delete("cancel", "/batch/scrape/:id", {
    params: jobParams,
    success: Schema.Struct({ status: Schema.Literal("cancelled") }),
    error: jobErrors
  }),
  HttpApiEndpoint.get("errors", "/batch/scrape/:id/errors", {
    params: jobParams,
    success: CrawlErrors,
    error: jobErrors
  })
) {}
