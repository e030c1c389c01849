/** The endpoints of /v2 for extracts. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import { ExtractRequest, ExtractStarted, ExtractStatus } from "../Extract.ts"
import { jobErrors, jobParams } from "./jobEndpoint.ts"

/**
 * The endpoints of extracts: start one, read its status and data, cancel it.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { WebData } from "millrace/client"
 * import { Embedded, ServiceConfig } from "millrace/service"
 *
 * const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
 * const cancelled = Effect.gen(function* () {
 *   const { extract } = yield* WebData
 *   const { id } = yield* extract.start({ payload: { urls: ["https://your.site/shop/"], prompt: "names and prices" } })
 *   return yield* extract.cancel({ params: { id } })
 * })
 * console.log((await Effect.runPromise(Effect.provide(cancelled, service))).status) // "cancelled"
 * ```
 */
export class ExtractGroup extends HttpApiGroup.make("extract").add(
  HttpApiEndpoint.post("start", "/extract", { payload: ExtractRequest, success: ExtractStarted, error: jobErrors }),
  HttpApiEndpoint.get("status", "/extract/:id", { params: jobParams, success: ExtractStatus, error: jobErrors }),
  HttpApiEndpoint.delete("cancel", "/extract/:id", {
    params: jobParams,
    success: Schema.Struct({ success: Schema.Literal(true), status: Schema.Literal("cancelled") }),
    error: jobErrors
  })
) {}
