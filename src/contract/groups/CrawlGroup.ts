/** The endpoints of /v2 for crawls. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import {
  ActiveCrawls,
  CrawlErrors,
  CrawlPrompt,
  CrawlPromptAnswer,
  CrawlRequest,
  CrawlStarted,
  CrawlStatus
} from "../Crawl.ts"
import { jobErrors, jobParams, pageQuery } from "./jobEndpoint.ts"

/**
 * The endpoints of crawls: start one, read its status and errors, cancel it, list the running ones.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { WebData } from "millrace/client"
 * import { Embedded, ServiceConfig } from "millrace/service"
 *
 * const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
 * const crawled = Effect.gen(function* () {
 *   const { crawl } = yield* WebData
 *   const { id } = yield* crawl.start({ payload: { url: "https://your.site/docs/", limit: 2 } })
 *   const { status } = yield* crawl.cancel({ params: { id } })
 *   return status
 * })
 * console.log(await Effect.runPromise(Effect.provide(crawled, service))) // "cancelled"
 * ```
 */
export class CrawlGroup extends HttpApiGroup.make("crawl").add(
  HttpApiEndpoint.post("start", "/crawl", {
    payload: CrawlRequest,
    success: CrawlStarted,
    error: jobErrors
  }),
  HttpApiEndpoint.post("params", "/crawl/params-preview", {
    payload: CrawlPrompt,
    success: CrawlPromptAnswer,
    error: jobErrors
  }),
  HttpApiEndpoint.get("active", "/crawl/active", { success: ActiveCrawls, error: jobErrors }),
  HttpApiEndpoint.get("ongoing", "/crawl/ongoing", { success: ActiveCrawls, error: jobErrors }),
  HttpApiEndpoint.get("status", "/crawl/:id", {
    params: jobParams,
    query: pageQuery,
    success: CrawlStatus,
    error: jobErrors
  }),
  HttpApiEndpoint.delete("cancel", "/crawl/:id", {
    params: jobParams,
    success: Schema.Struct({ status: Schema.Literal("cancelled") }),
    error: jobErrors
  }),
  HttpApiEndpoint.get("errors", "/crawl/:id/errors", { params: jobParams, success: CrawlErrors, error: jobErrors })
) {}
