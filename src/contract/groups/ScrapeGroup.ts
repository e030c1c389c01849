/** The endpoints of /v2 for single pages. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import * as Errors from "../Errors.ts"
import { ScrapeAnswer, ScrapeRequest, ScrapeResult } from "../Scrape.ts"

/**
 * The endpoints of single pages: scrape one, and read its result again.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { WebData } from "millrace/client"
 * import { Embedded, ServiceConfig } from "millrace/service"
 *
 * const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
 * const payload = { url: "https://your.site/about", formats: ["markdown"] } as const
 * const scraped = Effect.flatMap(WebData, ({ scrape }) => scrape.scrape({ payload }))
 * const answer = await Effect.runPromise(Effect.provide(scraped, service))
 * console.log("data" in answer && "markdown" in answer.data && answer.data.markdown?.slice(0, 17)) // "# About Northmere"
 * ```
 */
export class ScrapeGroup extends HttpApiGroup.make("scrape").add(
  HttpApiEndpoint.post("scrape", "/scrape", {
    payload: ScrapeRequest,
    success: ScrapeAnswer,
    error: [
      ...Errors.common,
      Errors.NotFound.http,
      Errors.Conflict.http,
      Errors.RequestTimeout.http,
      Errors.Unprocessable.http
    ]
  }),
  HttpApiEndpoint.get("result", "/scrape/:id", {
    params: { id: Schema.String },
    success: ScrapeResult,
    error: [...Errors.common, Errors.NotFound.http]
  })
) {}
