/**
 * The service on a port.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import { isLoopback } from "../../crawler/fetch/AddressGuard.ts"
import * as App from "../App.ts"
import { watchTurns } from "../loopTurns.ts"
import type { ServiceConfig } from "../ServiceConfig.ts"
import { boundedServer, type RequestTimes } from "./boundedServer.ts"
import * as HostNames from "./HostNames.ts"
import { withMcp } from "./mcp.ts"

/** Where the service is reached, and by which names. */
export interface Address {
  /** The address to listen on: "127.0.0.1" for this machine alone, "0.0.0.0" for all. */
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** Names that the service answers to beside addresses and `localhost`; `*`: any. */
  readonly allowHost?: ReadonlyArray<string>
  /** How long requests may take to arrive. */
  readonly times?: RequestTimes
}

/**
 * Serves until the layer is released. It fails with `ServeError` where the port is taken, and as `Embedded.layer` does.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as HttpServer from "effect/http/HttpServer"
 * import { Server, ServiceConfig } from "millrace/service"
 *
 * const served = Server.layer(ServiceConfig.defaults, { host: "127.0.0.1", port: 0 })
 * const asked = Effect.gen(function* () {
 *   const { address } = yield* HttpServer.HttpServer
 *   return yield* Effect.promise(() => fetch(`${HttpServer.formatAddress(address)}/openapi.json`))
 * })
 * console.log((await Effect.runPromise(Effect.provide(asked, served))).status) // 200
 * ```
 */
export const layer = (config: ServiceConfig, address: Address) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const app = yield* withMcp(yield* App.make(config))
      // What is made before there is a caller keeps nobody waiting.
      yield* watchTurns
      const isLocal = config.keys.length === 0 || isLoopback(address.host)
      const names = { host: address.host, allowed: address.allowHost ?? [] }
      yield* HttpServer.serveEffect(isLocal ? HostNames.checked(names)(app) : app)
    })
  ).pipe(
    Layer.provideMerge(
      NodeHttpServer.layer(() => boundedServer(address.times), {
        host: address.host,
        port: address.port,
        backlog: maxWaiting,
        gracefulShutdownTimeout: "2 seconds"
      })
    )
  )

/** Connections that wait to be taken while the service is busy: who finds no room comes again after seconds, then half a minute. */
const maxWaiting = 4096
