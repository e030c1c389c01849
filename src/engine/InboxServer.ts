/**
 * A receiver on a port, for as long as the scope is open.
 *
 * When it closes, bodies that have arrived completely are processed and answered, all others are refused, and only then
 * are connections closed.
 */
import { createServer, type ServerResponse } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import type { Receiver } from "./InboxReceiver.ts"

interface Address {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
}

/**
 * Senders that only hold a connection are let go after this. One that is idle between two events stays longer than the disk
 * may take: a connection that is closed while an event is on its way costs the sender a repetition.
 */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5000,
  keepAliveTimeout: 75_000
}
const connectionLimit = 1000

/** Gives the URL that it got. */
export const serve = Effect.fnUntraced(function* ({ app, close }: Receiver, address: Address) {
  const server = createServer(timeouts)
  server.maxConnections = connectionLimit
  const open = new Set<ServerResponse>()
  server.on("request", (_, response) => {
    open.add(response)
    response.once("close", () => open.delete(response))
  })
  const made = yield* Layer.build(NodeHttpServer.layer(() => server, { ...address, disablePreemptiveShutdown: true }))
  yield* Effect.provideContext(HttpServer.serveEffect(app), made)
  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      server.close()
      yield* close
      yield* Effect.forEach(open, closed, { concurrency: "unbounded" })
      server.closeAllConnections()
    })
  )
  return yield* Effect.provideContext(HttpServer.addressFormattedWith(Effect.succeed), made)
})

/** A response that has gone out, or whose receiver has gone. */
const closed = (response: ServerResponse) =>
  Effect.callback<void>((resume) => {
    if (response.closed) return resume(Effect.void)
    response.once("close", () => resume(Effect.void))
  })
