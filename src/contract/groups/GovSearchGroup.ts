/** The endpoints of /v2 for government search. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import * as Bounds from "../api/Bounds.ts"
import * as Errors from "../Errors.ts"
import { GovSearchAnswer, GovSearchRequest, KText, query } from "../GovSearch.ts"

/**
 * The endpoints of government search, by GET and by POST.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { WebData } from "millrace/client"
 * import { Embedded, ServiceConfig } from "millrace/service"
 *
 * const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
 * const found = Effect.flatMap(WebData, ({ govSearch }) => govSearch.search({ payload: { query: "17 U.S.C. 107" } }))
 * console.log((await Effect.runPromise(Effect.provide(found, service))).data.web.length) // 0
 * ```
 */
export class GovSearchGroup extends HttpApiGroup.make("govSearch").add(
  HttpApiEndpoint.get("ask", "/search/gov", {
    query: {
      query,
      k: Schema.optional(KText),
      origin: Schema.optional(Bounds.name),
      integration: Schema.optional(Bounds.name)
    },
    success: GovSearchAnswer,
    error: Errors.common
  }),
  HttpApiEndpoint.post("search", "/search/gov", {
    payload: GovSearchRequest,
    success: GovSearchAnswer,
    error: Errors.common
  })
) {}
