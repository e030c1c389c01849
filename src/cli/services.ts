/**
 * What a pipeline needs to run, put together: the client of its web data service, and the object stores.
 */
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import { connectors } from "../../connectors/index.ts"
import { WebData } from "../client/WebData.ts"
import { objectStores } from "../pipeline/objectStores.ts"
import type { Network, Service } from "../pipeline/PipelineFile.ts"
import { wrong } from "./CliFailure.ts"

export interface NetworkFlags {
  readonly allowPrivate: boolean
  readonly resolve: ReadonlyArray<string>
}

/** What reading a destination needs: its stores. No service is started, and none is asked. */
export const readingServices = Layer.merge(
  objectStores(connectors),
  WebData.layer({ baseUrl: "http://localhost" }).pipe(Layer.provide(FetchHttpClient.layer))
)

/** Flags of the command line add to what the file says. */
export const services = (service: Service, network: Network, flags: NetworkFlags) =>
  Layer.merge(
    objectStores(connectors),
    service === "embedded"
      ? Layer.unwrap(embedded(flags.allowPrivate || network.allow_private, [...network.resolve, ...flags.resolve]))
      : WebData.layer({ baseUrl: service.url, ...(service.key === undefined ? {} : { key: service.key }) }).pipe(
          Layer.provide(FetchHttpClient.layer)
        )
  )

/** The service is loaded only where a pipeline uses it: a hosted one needs none of it. */
const embedded = Effect.fnUntraced(function* (allowPrivate: boolean, resolve: ReadonlyArray<string>) {
  const { Embedded, ServiceConfig } = yield* Effect.promise(() => import("../service/index.ts"))
  const config = { ...ServiceConfig.defaults, allowPrivate, resolve: yield* parseResolves(resolve) }
  return WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(config)))
})

/** HOST=ADDR:PORT, each of them. */
export const parseResolves = Effect.fnUntraced(function* (texts: ReadonlyArray<string>) {
  const { AddressGuard } = yield* Effect.promise(() => import("../service/index.ts"))
  const entries = yield* Effect.forEach(texts, (text) => {
    const parsed = AddressGuard.parseResolve(text)
    return parsed === undefined
      ? Effect.fail(
          wrong(`--resolve takes HOST=ADDR:PORT, as shop.example=127.0.0.1:8080, not ${JSON.stringify(text)}`)
        )
      : Effect.succeed(parsed)
  })
  return new Map(entries)
})
