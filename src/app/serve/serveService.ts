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
import * as Schema from "effect/Schema"
import { CrawlerName } from "#base/CrawlerName"
import * as KeptSecret from "#base/KeptSecret"
import * as Lock from "#base/Lock"
import { isPostgres } from "#base/sqlClient"
import type { UnsupportedOption } from "#contract/Formats"
import { besideService, serviceDatabase } from "#library/databases"
import { serviceProviders } from "#library/serviceProviders"
import { type NetworkFlags, parseResolves, proxiesOf } from "#library/services"
import { thinkingConfig } from "#library/thinkingConfig"
import { failed, notListening, wrong } from "#see/CliFailure"
import * as fairScheduler from "#service/fairScheduler"
import * as KeyRing from "#service/KeyRing"
import * as Server from "#service/Server"
import * as ServiceConfig from "#service/ServiceConfig"
import { isLoopback } from "#web/AddressGuard"
import { makeFolder } from "../makeFolder.ts"
import { releaseMemory, thisProcess } from "../releaseMemory.ts"
import { accessLogOf } from "./accessLog.ts"
import { keysFile, rereadKeys } from "./keysFile.ts"

interface Options extends NetworkFlags, MailFlags {
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
  readonly crawlerName: Option.Option<string>
  readonly crawlerContact: Option.Option<string>
  readonly crawlerFrom: Option.Option<string>
  /** A file for the access log; "-": stdout. */
  readonly accessLog: Option.Option<string>
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
  readonly unsupported: Option.Option<UnsupportedOption>
  readonly model: Option.Option<string>
  readonly modelKey: Option.Option<Redacted.Redacted>
  readonly webSearch: Option.Option<string>
  /** A file with data providers. */
  readonly providers: Option.Option<string>
}

export const serveService = Effect.fnUntraced(function* (options: Options) {
  // What this process makes is for its user alone: results, prompts and headers of callers.
  process.umask(0o077)
  const database = yield* serviceDatabase(options.database, options.data)
  if (Option.isNone(options.database) || Option.isNone(options.webhookSecret)) yield* makeFolder(options.data)
  const keys = [...options.key, ...Option.match(options.moreKeys, { onNone: () => [], onSome: keysOf })]
  const named = Option.isSome(options.keys) ? yield* keysFile(options.keys.value) : { keys: [] }
  const own = keys.map((key) => ({ key, teamId: "team" }))
  if (keys.length + named.keys.length === 0 && !options.open && !isLoopback(options.host)) {
    return yield* wrong(
      `--host ${options.host} lets other machines call, and there is no key: set --key, MILLRACE_KEYS or --keys; or --open, if everyone may call`
    )
  }
  const { allowHost, host, port } = options
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
    keys: [...named.keys, ...own],
    webhookSecret: yield* secretOf(options.webhookSecret, secretFile),
    ...Option.match(options.sealKey, { onNone: () => ({}), onSome: (sealKey) => ({ sealKey }) }),
    ...Option.match(options.operatorKey, { onNone: () => ({}), onSome: (operatorKey) => ({ operatorKey }) }),
    ...(yield* clusterOptions(options.advertise, database.place)),
    allowPrivate: options.allowPrivate,
    perHost: options.perHost,
    acceptsWrongLength: options.acceptWrongLength,
    inFlight: Option.getOrUndefined(options.inFlight),
    crawler: yield* crawlerOf(options),
    resolve: yield* parseResolves(options.resolve),
    proxies: yield* proxiesOf()
  }
  const keyRing = KeyRing.create({ keyless: config.keyless, keys: config.keys })
  yield* rereadKeys(Option.getOrUndefined(options.keys), own, keyRing)
  if (!isPostgres(database.place)) yield* alone(Redacted.value(database.place))
  const accessLog = yield* accessLogOf(Option.getOrUndefined(options.accessLog))
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
  return yield* Layer.launch(
    Layer.effectDiscard(announce).pipe(
      Layer.provide(Server.layer({ ...config, keyRing }, { host, port, allowHost, ...accessLog }))
    )
  ).pipe(
    Effect.provideService(Scheduler.Scheduler, fairScheduler.create()),
    Effect.catchTags({
      ServeError: ({ cause }) => notListening(options.host, options.port, cause),
      SqlError: (error) => failed(`cannot use the database ${database.name}: ${reasonOf(error)}`),
      StoreError: (error) => failed(`cannot use the database ${database.name}: ${reasonOf(error)}`),
      MigrationError: (error) => failed(`cannot bring the database ${database.name} up to date: ${reasonOf(error)}`)
    })
  )
}, Effect.scoped)

/** The name of the service's crawler; undefined: Millrace. */
const crawlerOf = Effect.fnUntraced(function* (flags: Pick<Options, "crawlerContact" | "crawlerFrom" | "crawlerName">) {
  const given = { name: flags.crawlerName, contact: flags.crawlerContact, from: flags.crawlerFrom }
  const keys = Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => (Option.isSome(value) ? [[key, value.value]] : []))
  )
  if (Object.keys(keys).length === 0) return undefined
  return yield* Schema.decodeUnknownEffect(CrawlerName)(keys, { errors: "all" }).pipe(
    Effect.mapError((error) => wrong(`--crawler-name, --crawler-contact or --crawler-from: ${error.message}`))
  )
})

/** Two processes on one SQLite file would each keep the limits of teams and hosts, and run the jobs of the other. */
const alone = Effect.fnUntraced(function* (file: string) {
  if (file === ":memory:") return
  const lock = yield* Effect.acquireRelease(
    Effect.try({
      try: () => Lock.take(`${file}.lock`),
      catch: (cause) => failed(`cannot lock ${file}: ${cause instanceof Error ? cause.message : String(cause)}`)
    }),
    (lock) => Effect.sync(() => ("release" in lock ? lock.release() : undefined))
  )
  if ("release" in lock) return
  return yield* failed(
    `another millrace serve${lock.owner === "" ? "" : ` (process ${lock.owner})`} uses ${file}: stop it, or give this one another --data; several processes share a Postgres (--database)`
  )
})

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

/**
 * How a service takes part in the cluster of those that share its database: what `--advertise` says.
 *
 * `advertise`: `HOST:PORT`. A SQLite file has one process, so there it has no meaning.
 */
export const clusterOptions = Effect.fnUntraced(function* (
  advertise: Option.Option<string>,
  database: Redacted.Redacted
) {
  const text = Option.getOrElse(advertise, () => "").trim()
  if (!isPostgres(database)) {
    if (text === "") return {}
    return yield* wrong("--advertise is for processes that share a database: set --database postgres://...")
  }
  if (text === "") return { cluster: { advertise: { host: loopback, port: 0 } } }
  const [, name = "", digits = ""] = /^(\[[0-9a-f:.]+\]|[^:/\s]+):(\d{1,5})$/i.exec(text) ?? []
  const port = Number(digits)
  if (name === "" || port > 65_535) {
    return yield* wrong(`--advertise takes HOST:PORT, such as 10.0.0.5:3003; ${text} has another form`)
  }
  const host = name.replace(/^\[(.*)\]$/, "$1")
  // The advertised name may be that of a load balancer or a pod: all addresses of the machine are listened on.
  const cluster: NonNullable<ServiceConfig.ServiceConfig["cluster"]> = isLoopback(host)
    ? { advertise: { host, port } }
    : { advertise: { host, port }, listen: "0.0.0.0" }
  return { cluster }
})

const loopback = "127.0.0.1"

interface MailFlags {
  readonly smtp: Option.Option<Redacted.Redacted>
  readonly mailFrom: Option.Option<string>
}

/**
 * Who hands over the letters of monitors, from flags or from `MILLRACE_SMTP_URL` and `MILLRACE_MAIL_FROM`.
 *
 * A server without a sender, or a sender without a server, is reported as a mistake. The address of the server contains
 * its password and is never printed.
 */
export const mailConfig = Effect.fnUntraced(function* (flags: MailFlags) {
  const server = Option.getOrUndefined(Option.filter(flags.smtp, (url) => Redacted.value(url).trim() !== ""))
  const from = Option.getOrUndefined(Option.filter(flags.mailFrom, (text) => text.trim() !== ""))
  if ((server === undefined) !== (from === undefined)) {
    return yield* wrong("--smtp and --mail-from must be used together: the mail server, and the sender of its e-mails")
  }
  if (server === undefined || from === undefined) return {}
  const url = URL.parse(Redacted.value(server))
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === "") {
    return yield* wrong("--smtp must be an address such as smtp://name:password@mail.example.com:587, or smtps://")
  }
  const config: Pick<ServiceConfig.ServiceConfig, "mail"> = { mail: { server: Redacted.make(url), from } }
  return config
})
