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

/** The address at which the service listens, and the names to which it answers. */
export interface Address {
  /** The address to listen on: "127.0.0.1" for this machine alone, "0.0.0.0" for all. */
  readonly host: string
  /** The port; 0: a free one. */
  readonly port: number
  /** Names to which the service answers, besides addresses and `localhost`; `*`: any. Default: none. */
  readonly allowHost?: ReadonlyArray<string>
  /** How long requests may take to arrive. */
  readonly times?: RequestTimes
}

/**
 * Serves until the layer is released. Fails with `ServeError` if the port is taken, and with the errors of `Embedded.layer`.
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
      // Turns are watched from here on: slow turns before the first caller make nobody wait.
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

/** How many connections may wait while the service is busy. A client that finds no room retries only after seconds. */
const maxWaiting = 4096
