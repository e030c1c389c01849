/**
 * The work behind `millrace gov load`: loads a corpus into the index, and reports what was loaded, left out, and failed.
 *
 * Every file is reported: loaded, known, left out with its reason, or failed with its line. The number of sections in
 * the index is counted there. The command fails, after all files, if a file failed, a section was rejected, nothing was
 * loaded, or the index has another number of sections than reported.
 */
import { readFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { parse } from "yaml"
import { client, isPostgres } from "#base/sqlClient"
import * as Corpus from "#law/Corpus"
import * as Settings from "#law/CorpusSettings"
import * as GovLoader from "#law/GovLoader"
import * as GovSchema from "#law/GovSchema"
import type { Level } from "#law/GovText"
import { govDatabase } from "#library/databases"
import { failed, wrong } from "#see/CliFailure"
import { makeFolder } from "../makeFolder.ts"
import * as GovReport from "./GovReport.ts"

interface Options {
  readonly path: string
  readonly data: string
  readonly database: Option.Option<Redacted.Redacted>
  readonly issuer: Option.Option<string>
  readonly level: Option.Option<Level>
  readonly jurisdiction: Option.Option<string>
  readonly collectionName: Option.Option<string>
  readonly baseUrl: Option.Option<string>
  /** A YAML file with settings for single folders. */
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
  const report = GovReport.start(process.stderr)
  const files = new Set<string>()
  const broken = new Set<string>()

  const work = Effect.gen(function* () {
    const form = yield* GovSchema.ensure
    if (form === "upgraded") {
      process.stderr.write(`${database.name} was made by an earlier version of Millrace: its files are read again\n`)
    }
    yield* Stream.runForEach(GovLoader.load(root, Corpus.files(options.path, settings)), (loaded) =>
      Effect.sync(() => {
        files.add(loaded.file.path)
        if (loaded.failed !== undefined) broken.add(loaded.file.path)
        report.add(loaded)
      })
    )
    if (options.prune) report.pruned(yield* GovLoader.prune(root, files))
    yield* GovSchema.changed
    return {
      older: yield* GovLoader.older,
      ...(yield* GovLoader.compare(root, new Set([...files].filter((file) => !broken.has(file)))))
    }
  })
  const { differences, older, sections } = yield* work.pipe(
    Effect.provide(client(database.place)),
    Effect.catchTags({
      SqlError: ({ reason }) => failed(`cannot use the database ${database.name}: ${reason.message}`),
      CorpusError: ({ file, message }) => failed(`cannot read ${file}: ${message}`),
      GovIndexFailed: ({ message }) => failed(message)
    })
  )
  const elapsed = (yield* Clock.currentTimeMillis) - startedAt
  process.stdout.write(options.json ? report.json(database.name, elapsed) : report.text(database.name, elapsed))
  if (older.files > 0) {
    process.stderr.write(
      `${database.name} has ${older.files} ${older.files === 1 ? "file" : "files"} that an earlier version of Millrace read, such as ${older.such}: load their folders again\n`
    )
  }
  const faults = [
    ...(report.failures > 0 ? [`files that could not be read: ${report.failures}`] : []),
    ...(report.rejects > 0
      ? [
          `sections that were rejected, because another section has the same identity: ${report.rejects}; all others are loaded`
        ]
      : []),
    ...(report.differences.length > 0
      ? [
          `lines in which the tags of a file differ from its sections: ${report.differences.length}, such as ${report.differences[0]}: the file is not read as it should be; report a bug`
        ]
      : []),
    ...(report.sections === 0 && report.failures === 0 ? [nothing(options.path, report.reason)] : []),
    ...(differences.length > 0 || sections !== report.sections
      ? [
          `${report.sections} sections were read, but ${database.name} has ${sections} of them` +
            `${differences
              .slice(0, 3)
              .map(({ counted, file, told }) => `; ${counted} instead of ${told} of ${file}`)
              .join("")}: load the folder again, and report a bug if that does not help`
        ]
      : [])
  ]
  if (faults.length > 0) return yield* failed(faults.join("\n"))
})

const nothing = (path: string, reason: string | undefined): string =>
  `nothing was loaded from ${path}${reason === undefined ? ": there are no files in it" : `: ${reason}`}`

const settingsOf = Effect.fnUntraced(function* (options: Options) {
  const named = Object.fromEntries(
    (["issuer", "level", "jurisdiction", "collectionName", "baseUrl"] as const).flatMap((name) =>
      Option.isSome(options[name]) ? [[name, options[name].value] as const] : []
    )
  )
  if (Option.isNone(options.settings)) return named
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
  return { ...decoded, ...named }
})

const decode = Schema.decodeUnknownEffect(Settings.Options, { onExcessProperty: "error" })
