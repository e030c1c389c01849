/**
 * The work behind `millrace gov load`: a corpus into the index, and a report of what was loaded, left out, and broken.
 *
 * The law: every file is told of: loaded, known, left out with its reason, or failed with its line; one that failed makes
 * the command fail, behind all others.
 */
import { mkdir, readFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { parse } from "yaml"
import * as Corpus from "../../gov/corpus/Corpus.ts"
import * as Settings from "../../gov/corpus/Settings.ts"
import type { Level } from "../../gov/GovText.ts"
import * as GovLoader from "../../service/search/gov/GovLoader.ts"
import * as GovSchema from "../../service/search/gov/GovSchema.ts"
import { client, isPostgres } from "../../service/store/client.ts"
import { failed, wrong } from "../CliFailure.ts"
import * as GovReport from "./GovReport.ts"
import { govDatabase } from "./govDatabase.ts"

export interface Options {
  readonly path: string
  readonly data: string
  readonly database: Option.Option<Redacted.Redacted>
  readonly issuer: Option.Option<string>
  readonly level: Option.Option<Level>
  readonly jurisdiction: Option.Option<string>
  readonly collectionName: Option.Option<string>
  readonly baseUrl: Option.Option<string>
  /** A YAML file with settings of folders. */
  readonly settings: Option.Option<string>
  readonly prune: boolean
  readonly json: boolean
}

export const loadGov = Effect.fn("loadGov")(function* (options: Options) {
  const fs = yield* FileSystem.FileSystem
  if (!(yield* fs.exists(options.path))) return yield* wrong(`there is no file or folder ${options.path}`)
  const settings = yield* settingsOf(options)
  const database = yield* govDatabase(options.database, options.data)
  if (!isPostgres(database.place)) yield* makeFolder(dirname(Redacted.value(database.place)))
  const root = resolve(options.path)
  const startedAt = yield* Clock.currentTimeMillis
  const report = GovReport.make(process.stderr)
  const files = new Set<string>()

  const work = Effect.gen(function* () {
    yield* GovSchema.ensure
    yield* Stream.runForEach(GovLoader.load(root, Corpus.files(options.path, settings)), (loaded) =>
      Effect.sync(() => {
        files.add(loaded.file.path)
        report.add(loaded)
      })
    )
    if (options.prune) report.pruned(yield* GovLoader.prune(root, files))
    yield* GovSchema.changed
  })
  yield* work.pipe(
    Effect.provide(client(database.place)),
    Effect.catchTags({
      SqlError: ({ reason }) => failed(`cannot use the database ${database.name}: ${reason.message}`),
      CorpusError: ({ file, message }) => failed(`cannot read ${file}: ${message}`)
    })
  )
  const elapsed = (yield* Clock.currentTimeMillis) - startedAt
  process.stdout.write(options.json ? report.json(database.name, elapsed) : report.text(database.name, elapsed))
  if (report.failures > 0) return yield* failed(`files that could not be read: ${report.failures}`)
})

const settingsOf = Effect.fnUntraced(function* (options: Options) {
  const said = Object.fromEntries(
    (["issuer", "level", "jurisdiction", "collectionName", "baseUrl"] as const).flatMap((name) =>
      Option.isSome(options[name]) ? [[name, options[name].value] as const] : []
    )
  )
  if (Option.isNone(options.settings)) return said
  const file = options.settings.value
  const text = yield* Effect.tryPromise({
    try: () => readFile(file, "utf8"),
    catch: (cause) => wrong(`cannot read --settings ${file}: ${String(cause)}`)
  })
  const given = yield* Effect.try({
    try: () => parse(text) as unknown,
    catch: (cause) => wrong(`${file}: ${String(cause)}`)
  })
  const decoded = yield* decode(given).pipe(Effect.mapError((error) => wrong(`${file}: ${error.message}`)))
  return { ...decoded, ...said }
})

const decode = Schema.decodeUnknownEffect(Settings.Options, { onExcessProperty: "error" })

const makeFolder = (folder: string) =>
  Effect.tryPromise({
    try: () => mkdir(folder, { recursive: true }),
    catch: (cause) => failed(`cannot make the folder ${folder}: ${String(cause)}`)
  })
