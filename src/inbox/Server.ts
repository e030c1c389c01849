/**
 * A receiver on a port, for as long as the scope is open.
 *
 * The law: when it closes, what is in hand is finished first, what comes is refused, and whoever still sends after that
 * is cut off: their event is not kept, and was not answered.
 */
import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import type { Receiver } from "./Receiver.ts"

export interface Address {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
}

/** Senders that only hold a connection are let go after this. */
const timeouts = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5000 }
const mostConnections = 1000

/** Gives the URL that it got. */
export const serve = Effect.fnUntraced(function* ({ app, close }: Receiver, address: Address) {
  const server = createServer(timeouts)
  server.maxConnections = mostConnections
  const made = yield* Layer.build(
    NodeHttpServer.layer(() => server, { ...address, gracefulShutdownTimeout: "2 seconds" })
  )
  return yield* Effect.provideContext(
    Effect.gen(function* () {
      // The last to be added is the first to run: refuse, then finish, then cut.
      yield* Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))
      yield* HttpServer.serveEffect(app)
      yield* Effect.addFinalizer(() => close)
      return yield* HttpServer.addressFormattedWith(Effect.succeed)
    }),
    made
  )
})
