/** The endpoints of /v2 for questions about the service. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Errors from "../Errors.ts"
import { SupportAnswer, SupportRequest } from "../Support.ts"

/**
 * The endpoint that answers questions about the service.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { WebData } from "millrace/client"
 * import { Embedded, ServiceConfig } from "millrace/service"
 *
 * const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
 * const payload = { question: "How do I crawl one folder of a site?" }
 * const asked = Effect.flatMap(WebData, ({ support }) => support.ask({ payload }))
 * console.log((await Effect.runPromise(Effect.provide(asked, service))).sources.length > 0) // true
 * ```
 */
export class SupportGroup extends HttpApiGroup.make("support").add(
  HttpApiEndpoint.post("ask", "/support/ask", {
    payload: SupportRequest,
    success: SupportAnswer,
    error: Errors.common
  })
) {}
