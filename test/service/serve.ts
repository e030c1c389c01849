/** The service on a port of loopback, as clients meet it. */
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Server from "#service/Server"
import * as ServiceConfig from "#service/ServiceConfig"
import { quick } from "./quick.ts"

/** Serves until the scope closes; answers the base URL. */
export const serve = (config: Partial<ServiceConfig.ServiceConfig> = {}) =>
  Layer.build(
    Server.layer({ ...ServiceConfig.defaults, patience: quick, ...config }, { host: "127.0.0.1", port: 0 })
  ).pipe(
    Effect.flatMap((context) => Effect.provideContext(HttpServer.HttpServer, context)),
    Effect.map(({ address }) => ("port" in address ? `http://127.0.0.1:${address.port}` : ""))
  )
