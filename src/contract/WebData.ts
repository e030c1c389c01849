/**
 * The typed client of the /v2 contract, for any service that speaks it: hosted, on a port, or embedded. Its code is loaded
 * only when the layer is built.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import type { Client, Options } from "./client/serviceClient.ts"

/**
 * The typed client of a web data service, as a service of Effect: one method for each endpoint of `millrace/api`, in
 * groups (`scrape`, `crawl`, `search` ...). A method fails with the error of the contract (`Errors` of `millrace/api`),
 * or with `HttpClientError` if the service cannot be reached.
 *
 * Requests that may be repeated are repeated up to five times, after 0.5 to 30 seconds, and not before Retry-After. An
 * answer is waited for up to six minutes.
 *
 * @see RFC 9110, section 10.2.3 (Retry-After)
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as Layer from "effect/Layer"
 * import { WebData } from "millrace/client"
 *
 * const client = WebData.layer({ baseUrl: "http://localhost:3002" }).pipe(Layer.provide(FetchHttpClient.layer))
 * const scraped = Effect.flatMap(WebData, ({ scrape }) => scrape.scrape({ payload: { url: "https://your.site" } }))
 * console.log(await Effect.runPromise(Effect.provide(scraped, client)))
 * ```
 */
export class WebData extends Context.Service<WebData, Client>()("millrace/client/WebData") {
  static readonly layer = (options: Options): Layer.Layer<WebData, never, HttpClient.HttpClient> =>
    Layer.effect(
      WebData,
      Effect.flatMap(
        Effect.promise(() => import("./client/serviceClient.ts")),
        (serviceClient) => serviceClient.make(options)
      )
    )
}
