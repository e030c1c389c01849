/**
 * The work behind `millrace serve`.
 */

import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Server from "../service/Server.ts"
import * as ServiceConfig from "../service/ServiceConfig.ts"
import { failed } from "./CliFailure.ts"
import { serviceKeys } from "./serviceKeys.ts"
import { type NetworkFlags, parseResolves } from "./services.ts"

export interface Options extends NetworkFlags {
  readonly host: string
  readonly port: number
  readonly data: string
  readonly key: ReadonlyArray<Redacted.Redacted>
  /** A file with keys, teams and plans. */
  readonly keys: Option.Option<string>
}

export const serveService = Effect.fn("serveService")(function* (options: Options) {
  yield* Effect.tryPromise({
    try: () => mkdir(options.data, { recursive: true }),
    catch: (cause) => failed(`cannot make the folder ${options.data}: ${String(cause)}`)
  })
  const named = Option.isSome(options.keys) ? yield* serviceKeys(options.keys.value) : { keys: [] }
  const config = {
    ...ServiceConfig.defaults,
    ...named,
    database: join(options.data, "service.sqlite"),
    keys: [...named.keys, ...options.key.map((key) => ({ key, teamId: "team" }))],
    allowPrivate: options.allowPrivate,
    resolve: yield* parseResolves(options.resolve)
  }
  const announce = HttpServer.addressFormattedWith((url) =>
    Effect.sync(() => process.stdout.write(`millrace serves the web data service at ${url}\n`))
  )
  yield* Layer.launch(Layer.effectDiscard(announce).pipe(Layer.provide(Server.layer(config, options)))).pipe(
    Effect.catchTag("ServeError", ({ cause }) =>
      failed(
        `cannot listen on ${options.host}:${options.port}: ${cause instanceof Error ? cause.message : String(cause)}`
      )
    )
  )
})
