/** Headers that a caller can set on requests that start a job. */
import * as Context from "effect/Context"

/**
 * The idempotency key of requests that start a job. The same key never starts a second job. Default: each request gets a
 * new key.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { IdempotencyKey, WebData } from "millrace/client"
 * import { Embedded, ServiceConfig } from "millrace/service"
 *
 * const start = Effect.flatMap(WebData, ({ crawl }) => crawl.start({ payload: { url: "https://your.site", limit: 1 } }))
 * const twice = Effect.andThen(start, Effect.flip(start)).pipe(Effect.provideService(IdempotencyKey, "2026-01-01"))
 * const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
 * console.log((await Effect.runPromise(Effect.provide(twice, service)))._tag) // "Conflict"
 * ```
 */
export const IdempotencyKey = Context.Reference<string | undefined>("millrace/client/IdempotencyKey", {
  defaultValue: () => undefined
})

/** The header with the settling of a crawl; undefined: the crawl delivers its documents as they come. */
export const Settles = Context.Reference<string | undefined>("millrace/client/Settles", {
  defaultValue: () => undefined
})
