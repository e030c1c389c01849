/**
 * The service on a port.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import { boundedServer, type RequestTimes } from "#base/boundedServer"
import { isLoopback } from "#web/AddressGuard"
import * as App from "./App.ts"
import * as HostNames from "./http/HostNames.ts"
import { type AccessEntry, type Drain, observed, startDrain } from "./http/observed.ts"
import { watchTurns } from "./loopTurns.ts"
import { withMcp } from "./mcp.ts"
import type { ServiceConfig } from "./ServiceConfig.ts"

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
  /** Gets each request once it is answered. Default: there is no access log. */
  readonly accessLog?: (entry: AccessEntry) => void
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
  Layer.unwrap(
    Effect.gen(function* () {
      const { app: whole, isReady } = yield* App.whole(config)
      const app = yield* withMcp(whole)
      // Turns are watched from here on: slow turns before the first caller make nobody wait.
      yield* watchTurns
      const isLocal = config.keys.length === 0 || isLoopback(address.host)
      const names = { host: address.host, allowed: address.allowHost ?? [] }
      const served = isLocal ? HostNames.checked(names)(app) : app
      const drain = startDrain()
      const watched = observed({
        routeOf: App.routeOf,
        notReady: () => (isReady() ? undefined : "the database does not answer"),
        drain,
        log: address.accessLog
      })(served)
      return listening(watched, address, drain)
    }).pipe(Effect.provide(NodeHttpServer.layerHttpServices))
  )

/**
 * The port is opened when the service can answer. When it stops, first it takes no more work: requests on connections that
 * are open get 503, until those in progress are answered, or two seconds are over.
 */
const listening = <E, R>(
  app: Effect.Effect<HttpServerResponse, E, R>,
  { host, port, times }: Address,
  drain: Drain
) => {
  const server = boundedServer(times)
  keepEarlyRequests(server)
  const draining = Effect.addFinalizer(() => {
    drain.isDraining = true
    return Effect.asVoid(Effect.timeoutOption(drain.idle.await, drainTime))
  })
  return Layer.effectDiscard(Effect.andThen(HttpServer.serveEffect(app), draining)).pipe(
    Layer.provideMerge(
      NodeHttpServer.layer(() => server, { host, port, backlog: maxWaiting, gracefulShutdownTimeout: "2 seconds" })
    )
  )
}

/**
 * Keeps requests that come between the opening of the port and the first listener, and gives them to it.
 *
 * It stops in the moment in which the listener comes: no request has two listeners, and none has none.
 */
const keepEarlyRequests = (server: Server): void => {
  const early: Array<readonly [IncomingMessage, ServerResponse]> = []
  const keep = (request: IncomingMessage, response: ServerResponse) => void early.push([request, response])
  server.on("request", keep)
  const listens = (event: string | symbol, listener: (request: IncomingMessage, response: ServerResponse) => void) => {
    if (event !== "request") return
    server.off("request", keep)
    server.off("newListener", listens)
    setImmediate(() => {
      for (const [request, response] of early) listener(request, response)
    })
  }
  server.on("newListener", listens)
}

/** How long requests in progress may take once the service stops. */
const drainTime = "2 seconds"

/** How many connections may wait while the service is busy. A client that finds no room retries only after seconds. */
const maxWaiting = 4096
