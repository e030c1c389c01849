/** The endpoints of /v2 for the search. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Errors from "../Errors.ts"
import { SearchAnswer, SearchRequest } from "../Search.ts"

/**
 * The endpoint of the search.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { WebData } from "millrace/client"
 * import { Embedded, ServiceConfig } from "millrace/service"
 *
 * const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
 * const found = Effect.flatMap(WebData, ({ search }) => search.search({ payload: { query: "tide clock" } }))
 * console.log((await Effect.runPromise(Effect.provide(found, service))).data.web) // []
 * ```
 */
export class SearchGroup extends HttpApiGroup.make("search").add(
  HttpApiEndpoint.post("search", "/search", {
    payload: SearchRequest,
    success: SearchAnswer,
    error: [...Errors.common, Errors.RequestTimeout.http, Errors.Unprocessable.http]
  })
) {}
