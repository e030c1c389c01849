/** The endpoints of /v2 for uploaded files. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Errors from "../Errors.ts"
import { ParseForm } from "../Parse.ts"
import { ScrapeAnswer } from "../Scrape.ts"

/**
 * The endpoint that reads an uploaded file.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { WebData } from "millrace/client"
 * import { Embedded, ServiceConfig } from "millrace/service"
 *
 * const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
 * const form = new FormData()
 * form.set("file", new File(["<h1>Tides</h1><p>High water at noon.</p>"], "tides.html", { type: "text/html" }))
 * const parsed = Effect.flatMap(WebData, ({ parse }) => parse.parse({ payload: form }))
 * const answer = await Effect.runPromise(Effect.provide(parsed, service))
 * console.log("data" in answer && "markdown" in answer.data && answer.data.markdown?.split("\n")[0]) // "# Tides"
 * ```
 */
export class ParseGroup extends HttpApiGroup.make("parse").add(
  HttpApiEndpoint.post("parse", "/parse", {
    payload: ParseForm,
    success: ScrapeAnswer,
    error: [...Errors.common, Errors.NotFound.http, Errors.RequestTimeout.http, Errors.Unprocessable.http]
  })
) {}
