/** The endpoints of /v2 for batches of pages. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import { BatchRequest, BatchStarted } from "../Batch.ts"
import { CrawlErrors, CrawlStatus } from "../Crawl.ts"
import { jobErrors, jobParams, pageQuery } from "./jobEndpoint.ts"

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
