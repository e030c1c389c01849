/**
 * The typed client over HTTP.
 *
 * Specification, Retry guidance: what can be repeated is repeated, at most five times, after delays that double up to 30
 * seconds with jitter, and not before Retry-After. A POST is repeated only if the service refused it (429, 503) or if it
 * has an idempotency key, because a lost answer may have started a job. The client waits for an answer no longer than
 * the service itself may take.
 */
import { randomUUID } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import { HttpClientError, TransportError } from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import { Api } from "../Api.ts"
import { Authorization } from "../Authorization.ts"
import { idempotencyHeader } from "../idempotencyHeader.ts"
import { retryAfterMillis } from "../retryAfterMillis.ts"
import { settlingHeader } from "../Settling.ts"
import { IdempotencyKey, Settles } from "./jobHeaders.ts"

/**
 * The URL of the service, and the key of the caller.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { type Options, WebData } from "millrace/client"
 * import { Embedded, ServiceConfig } from "millrace/service"
 *
 * const options: Options = { baseUrl: Embedded.baseUrl }
 * const client = WebData.layer(options).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
 * const map = Effect.flatMap(WebData, ({ map }) => map.map({ payload: { url: "https://your.site", limit: 10 } }))
 * console.log((await Effect.runPromise(Effect.provide(map, client))).links.length) // 10
 * ```
 */
export interface Options {
  /** The URL of the service: "https://api.example.com". */
  readonly baseUrl: string
  /** Sent as bearer token. Default: none, for a service that needs no key. */
  readonly key?: Redacted.Redacted
}

/** A name for the type: spelled out, its declaration has a megabyte. */
export interface Client extends HttpApiClient.ForApi<typeof Api> {}

export const make = (options: Options): Effect.Effect<Client, never, HttpClient.HttpClient> =>
  HttpApiClient.make(Api, {
    baseUrl: options.baseUrl,
    transformClient: (client) =>
      client.pipe(HttpClient.transform(retry), HttpClient.mapRequestEffect(withIdempotencyKey))
  }).pipe(Effect.provide(authorization(options.key)))

const authorization = (key: Redacted.Redacted | undefined) =>
  HttpApiMiddleware.layerClient(Authorization, ({ next, request }) =>
    next(key === undefined ? request : HttpClientRequest.bearerToken(request, key))
  )

/** Requests that start a job carry a key, so that one whose answer was lost may be sent again. */
const withIdempotencyKey = (request: HttpClientRequest.HttpClientRequest) =>
  request.method === "POST" && /\/v2\/(?:crawl|batch\/scrape|extract|agent)$/.test(request.url)
    ? Effect.gen(function* () {
        const key = yield* IdempotencyKey
        const settles = yield* Settles
        const keyed = HttpClientRequest.setHeader(request, idempotencyHeader, key ?? randomUUID())
        return settles === undefined ? keyed : HttpClientRequest.setHeader(keyed, settlingHeader, settles)
      })
    : Effect.succeed(request)

const maxAttempts = 5
const maxDelayMillis = 30_000

/** A scrape may take five minutes. What starts a job, asks for it or stops it is answered at once. */
const answerMinutes = ({ headers, method }: HttpClientRequest.HttpClientRequest): number =>
  method === "POST" && headers[idempotencyHeader] === undefined ? 6 : 1
/** A service that said nothing for so long is asked once more. */
const mostSilences = 2

type Exchange = Effect.Effect<HttpClientResponse, HttpClientError>

const retry = (exchange: Exchange, request: HttpClientRequest.HttpClientRequest): Exchange =>
  Effect.gen(function* () {
    const canRepeat =
      request.method === "GET" || request.method === "DELETE" || request.headers[idempotencyHeader] !== undefined
    // While a POST waits to be repeated, the service has started nothing: so the caller may interrupt this wait.
    const wait =
      request.method === "POST"
        ? (duration: Duration.Duration) => Effect.interruptible(Effect.sleep(duration))
        : Effect.sleep
    const silence = unanswered(request)
    const bounded = Effect.timeoutOrElse(exchange, {
      duration: Duration.minutes(answerMinutes(request)),
      orElse: () => Effect.fail(silence)
    })
    let silences = 0
    for (let attempt = 1; ; attempt++) {
      const result = yield* Effect.result(bounded)
      if (result._tag === "Failure" && result.failure === silence) silences += 1
      const isLast = attempt === maxAttempts || silences === mostSilences
      if (result._tag === "Failure") {
        if (isLast || !canRepeat || result.failure.reason._tag !== "TransportError")
          return yield* Effect.fail(result.failure)
        yield* wait(yield* delay(attempt, undefined))
        continue
      }
      const { status, headers } = result.success
      if (isLast || !(canRepeat ? transient : refused).has(status)) return result.success
      yield* wait(yield* delay(attempt, headers["retry-after"]))
    }
  })

const transient = new Set([408, 429, 500, 502, 503, 504])
const refused = new Set([429, 503])

const delay = Effect.fnUntraced(function* (attempt: number, retryAfter: string | undefined) {
  const jitter = yield* Random.next
  const backoff = Math.min(maxDelayMillis, 500 * 2 ** (attempt - 1)) * (1 + jitter / 2)
  return Duration.millis(Math.max(backoff, retryAfterMillis(retryAfter, yield* Clock.currentTimeMillis) ?? 0))
})

const unanswered = (request: HttpClientRequest.HttpClientRequest) => {
  const minutes = answerMinutes(request)
  const description = `no answer within ${minutes === 1 ? "a minute" : `${minutes} minutes`}`
  return new HttpClientError({ reason: new TransportError({ request, description }) })
}
