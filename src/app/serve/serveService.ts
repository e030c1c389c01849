/**
 * The work behind `millrace serve`.
 */

import { existsSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Scheduler from "effect/Scheduler"
import * as KeptSecret from "#base/KeptSecret"
import { isPostgres } from "#base/sqlClient"
import { besideService, serviceDatabase } from "#library/databases"
import { serviceProviders } from "#library/serviceProviders"
import { type NetworkFlags, parseResolves, proxiesOf } from "#library/services"
import { thinkingConfig } from "#library/thinkingConfig"
import { failed, wrong } from "#see/CliFailure"
import { notListening } from "#see/systemFailure"
import * as fairScheduler from "#service/fairScheduler"
import * as Server from "#service/Server"
import * as ServiceConfig from "#service/ServiceConfig"
import { isLoopback } from "#web/AddressGuard"
import { makeFolder } from "../makeFolder.ts"
import { releaseMemory, thisProcess } from "../releaseMemory.ts"
import { clusterOptions } from "./clusterOptions.ts"
import { type Flags as MailFlags, mailConfig } from "./mailConfig.ts"
import { serviceKeys } from "./serviceKeys.ts"

export interface Options extends NetworkFlags, MailFlags {
  readonly host: string
  readonly port: number
  readonly allowHost: ReadonlyArray<string>
  /** Whether everyone who reaches the address may call. */
  readonly open: boolean
  readonly data: string
  /** Requests under way with one host at most. */
  readonly perHost: number
  readonly acceptWrongLength: boolean
  readonly inFlight: Option.Option<number>
  /** Where other processes of the same Postgres reach this one. */
  readonly advertise: Option.Option<string>
  /** A `postgres://` URL, or a SQLite file elsewhere than in the data folder. */
  readonly database: Option.Option<Redacted.Redacted>
  readonly key: ReadonlyArray<Redacted.Redacted>
  /** Keys separated by commas, as the environment gives them. */
  readonly moreKeys: Option.Option<Redacted.Redacted>
  /** A file with keys, teams and plans. */
  readonly keys: Option.Option<string>
  /** What headers of callers are sealed with in the store. */
  readonly sealKey: Option.Option<Redacted.Redacted>
  /** The caller who sends it gets the metrics. */
  readonly operatorKey: Option.Option<Redacted.Redacted>
  readonly webhookSecret: Option.Option<Redacted.Redacted>
  readonly modelUrl: Option.Option<string>
  readonly model: Option.Option<string>
  readonly modelKey: Option.Option<Redacted.Redacted>
  readonly webSearch: Option.Option<string>
  /** A file with data providers. */
  readonly providers: Option.Option<string>
}

export const serveService = Effect.fn("serveService")(function* (options: Options) {
  // What this process makes is for its user alone: results, prompts and headers of callers.
  process.umask(0o077)
  const database = yield* serviceDatabase(options.database, options.data)
  if (Option.isNone(options.database) || Option.isNone(options.webhookSecret)) yield* makeFolder(options.data)
  const keys = [...options.key, ...Option.match(options.moreKeys, { onNone: () => [], onSome: keysOf })]
  const named = Option.isSome(options.keys) ? yield* serviceKeys(options.keys.value) : { keys: [] }
  if (keys.length + named.keys.length === 0 && !options.open && !isLoopback(options.host)) {
    return yield* wrong(
      `--host ${options.host} lets other machines call, and there is no key: set --key, MILLRACE_KEYS or --keys; or --open, if everyone may call`
    )
  }
  const file = Option.getOrElse(options.providers, () => "")
  const providers = file.trim() === "" ? {} : { providers: yield* serviceProviders(file) }
  const secretFile = join(options.data, "webhook-secret")
  const config = {
    ...ServiceConfig.defaults,
    ...named,
    ...(yield* thinkingConfig(options)),
    ...(yield* mailConfig(options)),
    ...providers,
    database: database.place,
    govDatabase: (yield* besideService(database, options.data)).place,
    keys: [...named.keys, ...keys.map((key) => ({ key, teamId: "team" }))],
    webhookSecret: yield* secretOf(options.webhookSecret, secretFile),
    ...Option.match(options.sealKey, { onNone: () => ({}), onSome: (sealKey) => ({ sealKey }) }),
    ...Option.match(options.operatorKey, { onNone: () => ({}), onSome: (operatorKey) => ({ operatorKey }) }),
    ...(yield* clusterOptions(options.advertise, database.place)),
    allowPrivate: options.allowPrivate,
    perHost: options.perHost,
    acceptsWrongLength: options.acceptWrongLength,
    inFlight: Option.getOrUndefined(options.inFlight),
    resolve: yield* parseResolves(options.resolve),
    proxies: yield* proxiesOf()
  }
  const lost = isPostgres(database.place) ? undefined : lostStore(Redacted.value(database.place))
  const announce = HttpServer.addressFormattedWith((url) =>
    Effect.sync(() => {
      if (isPostgres(database.place) && Option.isNone(options.sealKey)) process.stderr.write(unsealed)
      if (lost !== undefined) process.stderr.write(lost)
      process.stdout.write(`millrace serves the web data service at ${url}\n`)
      if (Option.isNone(options.webhookSecret)) {
        process.stdout.write(`webhooks are signed with the secret in ${secretFile}\n`)
      }
    })
  )
  yield* Effect.forkScoped(releaseMemory(thisProcess))
  return yield* Layer.launch(Layer.effectDiscard(announce).pipe(Layer.provide(Server.layer(config, options)))).pipe(
    Effect.provideService(Scheduler.Scheduler, fairScheduler.create()),
    Effect.catchTags({
      ServeError: ({ cause }) => notListening(options.host, options.port, cause),
      SqlError: (error) => failed(`cannot use the database ${database.name}: ${reasonOf(error)}`),
      StoreError: (error) => failed(`cannot use the database ${database.name}: ${reasonOf(error)}`),
      MigrationError: (error) => failed(`cannot bring the database ${database.name} up to date: ${reasonOf(error)}`)
    })
  )
}, Effect.scoped)

/** What to say of a database that is about to be made although the key beside it says that there was one. */
const lostStore = (file: string): string | undefined => {
  const key = join(dirname(file), "seal-key")
  if (!existsSync(key) || (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0) return undefined
  const what = existsSync(file) ? "was empty" : "was not there"
  return `${file} ${what}, although ${key} says that there was one: it begins without jobs, monitors and results; if it was not meant to, stop now and put it back from a backup\n`
}

const unsealed =
  "headers of callers are stored as they are: set MILLRACE_SEAL_KEY, the same for every process of this database, to seal them\n"

const keysOf = (keys: Redacted.Redacted): ReadonlyArray<Redacted.Redacted> =>
  Redacted.value(keys)
    .split(",")
    .flatMap((key) => (key.trim() === "" ? [] : [Redacted.make(key.trim())]))

const secretOf = (given: Option.Option<Redacted.Redacted>, file: string) => {
  if (Option.isNone(given)) return webhookSecret(file)
  return Redacted.value(given.value) === ""
    ? Effect.fail(wrong("--webhook-secret is empty, so anyone could sign webhooks"))
    : Effect.succeed(given.value)
}

/** The innermost cause says what happened: a refused connection, a missing database, an invalid file. */
const reasonOf = (error: Error): string => (error.cause instanceof Error ? reasonOf(error.cause) : error.message)

/** The secret that a service signs its webhooks with, where it is given none. It is never in what is printed. */
export const webhookSecret = (path: string) =>
  Effect.try({
    try: () => Redacted.make(KeptSecret.readOrMake(path)),
    catch: (cause) => failed(`cannot use the webhook secret: ${cause instanceof Error ? cause.message : String(cause)}`)
  })
