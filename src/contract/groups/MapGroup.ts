/** The endpoints of /v2 for maps of sites. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Errors from "../Errors.ts"
import { MapAnswer, MapRequest } from "../Map.ts"

/**
 * The endpoint that lists the URLs of a site.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { WebData } from "millrace/client"
 * import { Embedded, ServiceConfig } from "millrace/service"
 *
 * const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
 * const mapped = Effect.flatMap(WebData, ({ map }) => map.map({ payload: { url: "https://your.site", limit: 3 } }))
 * console.log((await Effect.runPromise(Effect.provide(mapped, service))).links.length) // 3
 * ```
 */
export class MapGroup extends HttpApiGroup.make("map").add(
  HttpApiEndpoint.post("map", "/map", {
    payload: MapRequest,
    success: MapAnswer,
    error: [...Errors.common, Errors.RequestTimeout.http]
  })
) {}
