/**
 * The service inside this process: an HTTP client whose requests never touch a socket. Any client of the contract
 * works on it unchanged, with any base URL.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as App from "./App.ts"
import type { ServiceConfig } from "./ServiceConfig.ts"

/** The base URL to give a client; the name is never resolved. */
export const baseUrl = "http://embedded.millrace"

export const layer = (config: ServiceConfig) =>
  Layer.effect(HttpClient.HttpClient, make(config)).pipe(Layer.provide(NodeHttpServer.layerHttpServices))

const make = Effect.fnUntraced(function* (config: ServiceConfig) {
  const app = yield* App.make(config)
  return HttpClient.make((request) =>
    Effect.scoped(app).pipe(
      Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromClientRequest(request)),
      Effect.map((response) => HttpServerResponse.toClientResponse(response, { request }))
    )
  )
})
