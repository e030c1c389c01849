/**
 * The service on a port.
 */

import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as App from "../App.ts"
import type { ServiceConfig } from "../ServiceConfig.ts"

export interface Address {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
}

/** Serves until the layer is released; `HttpServer` tells the address that it got. */
export const layer = (config: ServiceConfig, address: Address) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const app = yield* App.make(config)
      yield* HttpServer.serveEffect(app)
    })
  ).pipe(Layer.provideMerge(NodeHttpServer.layer(createServer, { ...address, gracefulShutdownTimeout: "2 seconds" })))
