/**
 * The work behind `millrace mcp`: an MCP server over stdin and stdout, on the embedded service.
 *
 * stdout is only for the protocol: logs go to stderr, and pipelines run in processes of their own.
 */
import { access } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { version } from "#contract/version"
import { ofRun as govOfRun } from "#library/databases"
import { providersOfEnvironment } from "#library/serviceProviders"
import { type NetworkFlags, parseResolves, proxiesOf } from "#library/services"
import { fromEnvironment } from "#library/thinkingConfig"
import { wrong } from "#see/CliFailure"
import * as Embedded from "#service/Embedded"
import { overStdio } from "#service/mcpLayers"
import * as ServiceCall from "#service/ServiceCall"
import * as ServiceConfig from "#service/ServiceConfig"
import { webTools } from "#service/webTools"
import { makeFolder } from "../makeFolder.ts"
import { pipelineTools } from "./pipelineTools.ts"

interface Options extends NetworkFlags {
  readonly files: ReadonlyArray<string>
  readonly vars: Readonly<Record<string, string>>
  /** The folder that keeps jobs and pages; none: they are deleted when this process ends. */
  readonly data: Option.Option<string>
}

export const serveMcp = Effect.fn("serveMcp")(function* (options: Options) {
  for (const file of options.files) {
    yield* Effect.tryPromise({ try: () => access(file), catch: () => wrong(`${file}: there is no such file`) })
  }
  if (Option.isSome(options.data)) yield* makeFolder(options.data.value)
  const config = {
    ...ServiceConfig.defaults,
    ...(yield* fromEnvironment),
    ...(yield* providersOfEnvironment),
    database: Redacted.make(
      Option.match(options.data, { onNone: () => ":memory:", onSome: (folder) => join(folder, "service.sqlite") })
    ),
    govDatabase: (yield* govOfRun).place,
    allowPrivate: options.allowPrivate,
    resolve: yield* parseResolves(options.resolve),
    proxies: yield* proxiesOf()
  }
  // The service is made when a tool first needs it, so that a client gets its list of tools at once.
  const scope = yield* Effect.scope
  const client = yield* Effect.cached(Scope.provide(Layer.build(Embedded.layer(config)), scope))
  const service: ServiceCall.ServiceCall = (request) =>
    Effect.gen(function* () {
      const context = yield* client
      const http = yield* Effect.provideContext(HttpClient.HttpClient, context)
      return yield* ServiceCall.overHttp(http, Embedded.baseUrl)(request)
    }).pipe(
      Effect.catch((error) =>
        Effect.succeed({ status: 0, body: { error: `the service cannot start: ${String(error)}` } })
      )
    )
  const network = [
    ...(options.allowPrivate ? ["--allow-private"] : []),
    ...options.resolve.flatMap((entry) => ["--resolve", entry])
  ]
  const tools = [...webTools(service), ...pipelineTools({ files: options.files, vars: options.vars, network })]
  // A client ends the server by closing stdin.
  const server = yield* Effect.forkScoped(Layer.launch(overStdio(tools, { version })))
  yield* Fiber.await(server)
}, Effect.scoped)

export const loggedToStderr = Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])
