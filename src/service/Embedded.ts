/**
 * The service inside this process: an HTTP client whose requests never touch a socket. Any client of the contract
 * works on it unchanged, with any base URL. The text of an answer is passed on as it is, without encoding and decoding it.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as App from "./App.ts"
import type { ServiceConfig } from "./ServiceConfig.ts"

/**
 * The base URL to give a client of the embedded service. The name is never resolved.
 *
 * @example
 * ```ts
 * import { Embedded } from "millrace/service"
 *
 * console.log(Embedded.baseUrl) // "http://embedded.millrace"
 * ```
 */
export const baseUrl = "http://embedded.millrace"

/**
 * The service inside this process, as an HTTP client that reaches nothing else: no port is opened. Building it fails with
 * `SqlError`, `MigrationError` or `StoreError` if its database cannot be used.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { WebData } from "millrace/client"
 * import { Embedded, ServiceConfig } from "millrace/service"
 *
 * const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
 * const listed = Effect.flatMap(WebData, ({ map }) => map.map({ payload: { url: "https://your.site/docs/", limit: 5 } }))
 * console.log((await Effect.runPromise(Effect.provide(listed, service))).links.length) // 5
 * ```
 */
export const layer = (config: ServiceConfig) =>
  Layer.effect(HttpClient.HttpClient, make(config)).pipe(Layer.provide(NodeHttpServer.layerHttpServices))

const make = Effect.fnUntraced(function* (config: ServiceConfig) {
  return clientOf(yield* App.build(config))
})

type App = Effect.Success<ReturnType<typeof App.build>>

/**
 * A client of an app in this process.
 *
 * @internal
 */
export const clientOf = (app: App): HttpClient.HttpClient =>
  HttpClient.make((request) =>
    Effect.flatMap(withBytes(request), (sent) =>
      Effect.scoped(app).pipe(
        Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromClientRequest(sent)),
        Effect.map((response) => handOver(response, request))
      )
    )
  )

/** Encodes a form to the bytes that a socket would carry: the app needs a boundary, and a content type that names it. */
const withBytes = (request: HttpClientRequest.HttpClientRequest) => {
  const { body } = request
  if (body._tag !== "FormData") return Effect.succeed(request)
  return Effect.promise(async () => {
    const encoded = new Response(body.formData)
    const bytes = new Uint8Array(await encoded.arrayBuffer())
    return HttpClientRequest.bodyUint8Array(request, bytes, encoded.headers.get("content-type") ?? undefined)
  })
}

const handOver = (
  response: HttpServerResponse.HttpServerResponse,
  request: HttpClientRequest.HttpClientRequest
): HttpClientResponse.HttpClientResponse => {
  const { body } = response
  const answer = HttpServerResponse.toClientResponse(response, { request })
  if (body._tag !== "Uint8Array" || body.text === undefined) return answer
  // Encoding to bytes would replace half a surrogate pair too.
  const text = Effect.succeed(body.text.toWellFormed())
  return Object.defineProperty(answer, "text", { value: text })
}
