/**
 * The work behind `millrace verify`: compares what is stored with what was written, and says what is right, healed and lost.
 *
 * A pipeline file stands for its sinks and its journal; a folder for its pipeline files, the lakes and databases below it, and the
 * journals and databases below `.millrace`.
 */
import { readdirSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import { parquet } from "#connectors/parquet/index"
import * as Journals from "#engine/Journals"
import type * as Sink from "#engine/Sink"
import { engine } from "#library/services"
import { type Loaded, loadPipeline } from "#see/loadPipeline"
import { pipelineFilesOf } from "#see/pipelineFiles"
import { jsonLine, printable } from "#see/printable"
import { count, size } from "#see/summary"
import { CliFailure, failed, runFailed, wrong } from "#see/systemFailure"
import { type Seen, verifyFile } from "./verifyFile.ts"
import { verifyDatabase, verifyRows } from "./verifyRows.ts"
import * as Whole from "./WholeFiles.ts"

export interface Options {
  readonly places: ReadonlyArray<string>
  readonly vars: Readonly<Record<string, string>>
  readonly repair: boolean
  readonly json: boolean
}

export const verifyPlaces = Effect.fn("verifyPlaces")(
  function* (options: Options) {
    const { json, repair } = options
    let [isDamaged, isRepairable] = [false, false]
    const show = (seen: Seen, file?: string) => {
      isDamaged ||= seen.findings.some(({ outcome }) => outcome !== "healed")
      isRepairable ||= seen.findings.some(({ outcome }) => outcome === "damaged" || outcome === "lost")
      process.stdout.write(json ? jsonLine(seen) : printable(inWords(seen, repair, file)))
    }
    for (const given of options.places.length === 0 ? ["."] : options.places) {
      const there = statSync(given, { throwIfNoEntry: false })
      if (there === undefined) return yield* wrong(`${given} does not exist; name a pipeline file or a folder`)
      yield* there.isDirectory() ? verifyFolder(given, options, show) : verifyPipeline(given, options, show)
    }
    if (!isDamaged) return
    const hint = isRepairable && !repair ? "; `--repair` heals what can be healed, and leaves out what is lost" : ""
    return yield* new CliFailure({
      message: json ? "" : `not everything is as it was written${hint}`,
      exitCode: runFailed
    })
  },
  Effect.scoped,
  Effect.provide(engine)
)

const counted = (number: number, what: string): string => `${count(number)} ${what}${number === 1 ? "" : "s"}`

const filesInWords = ({ bytes, files }: Sink.Verified): string => `${counted(files, "file")} (${size(bytes)})`

type Show = (seen: Seen, file?: string) => void

const inWords = ({ compared, findings, place }: Seen, repair: boolean, file?: string): string => {
  const head = `${place}: ${compared}${findings.length === 0 ? ", right" : ""}\n`
  const lines = findings.map(({ message, outcome }) => `  ${outcome.padEnd(8)} ${message}\n`)
  const runs = [...new Set(findings.flatMap((finding) => finding.runs ?? []))].sort()
  if (!repair || runs.length === 0) return head + lines.join("")
  const again = runs.map((run) => `    millrace replay ${run}${file === undefined ? "" : ` ${file}`}\n`)
  return `${head}${lines.join("")}  load again what is lost, the oldest run first, and then the runs after it:\n${again.join("")}`
}

/** The sinks and the journal of a pipeline file. Returns where its sinks are. */
const verifyPipeline = Effect.fnUntraced(function* (path: string, options: Options, show: Show) {
  const loaded = yield* loadPipeline(path, options.vars)
  const { pipeline } = loaded
  const locations = new Set<string>()
  for (const name of Object.keys(pipeline.sinks)) {
    const seen = yield* verifySink(loaded, name, options)
    show(seen, path)
    locations.add(seen.location)
  }
  const journal = yield* verifyJournal(pipeline.name, pipeline.directory, options.repair)
  if (journal !== undefined) show(journal, path)
  return locations
})

/** A sink that has files of its own compares them; of one that answers SQL, rows and keys are counted. */
const verifySink = Effect.fnUntraced(function* (loaded: Loaded, name: string, { json, repair }: Options) {
  const { pipeline } = loaded
  const sink = pipeline.sinks[name]
  const place = `${pipeline.name}: sink ${name}`
  const failing = Effect.mapError((error: Sink.SinkError) => failed(`${place}: ${error.message}`))
  const files =
    sink?.verify === undefined
      ? undefined
      : yield* failing(verified(place, sink.verify, pipeline.directory, { json, repair }))
  const rows = yield* verifyRows(loaded, name)
  const compared = [
    ...(files === undefined ? [] : [filesInWords(files)]),
    `${counted(rows.tables, "table")} with ${counted(rows.rows, "row")}`
  ]
  return {
    place,
    location: files?.location ?? "",
    compared: compared.join(", "),
    findings: [...(files?.findings ?? []), ...rows.findings]
  }
})

/** Compares the files of a sink, with a line of progress on a terminal, and continues where an interrupted verification ended. */
const verified = <R>(
  place: string,
  verify: NonNullable<Sink.Destination<R>["verify"]>,
  directory: string,
  { json, repair }: Pick<Options, "json" | "repair">
) =>
  Effect.gen(function* () {
    const whole = Whole.open(`${directory} ${place}`)
    const bar = progressOf(place, json)
    const found = yield* verify(directory, { repair, whole, onProgress: bar.show }).pipe(
      Effect.ensuring(Effect.sync(bar.clear))
    )
    whole.end()
    return found
  })

const progressOf = (place: string, json: boolean) => {
  const { stderr } = process
  const isPlain = !stderr.isTTY || json || (process.env["NO_COLOR"] ?? "") !== "" || process.env["TERM"] === "dumb"
  if (isPlain) return { show: () => {}, clear: () => {} }
  let drawnAt = 0
  return {
    show: (read: number, all: number) => {
      const now = performance.now()
      if (now - drawnAt < 100) return
      drawnAt = now
      const part = all === 0 ? 1 : read / all
      const bar = "█".repeat(Math.round(part * 20)).padEnd(20, "░")
      stderr.write(`\r\u001b[K${place} ${bar} ${Math.floor(part * 100)}% of ${size(all)}`)
    },
    clear: () => void (drawnAt > 0 && stderr.write("\r\u001b[K"))
  }
}

const verifyJournal = Effect.fnUntraced(function* (pipeline: string, directory: string, repair: boolean) {
  const folder = Journals.folderOf(pipeline, directory)
  const there = statSync(join(folder, "runs"), { throwIfNoEntry: false })
  if (there === undefined) return undefined
  const found = yield* Effect.mapError(Journals.verify(pipeline, directory, repair), ({ message }) => failed(message))
  return {
    place: `${pipeline}: journal`,
    compared: counted(readdirSync(join(folder, "runs")).length, "run"),
    findings: found.map(({ folder: at, reason, runId }) => ({
      path: at,
      message: `run ${runId}: ${reason}${repair ? `; it was moved to ${at}` : ""}`,
      outcome: repair ? ("healed" as const) : ("damaged" as const)
    }))
  }
})

/** What is below a folder: its pipelines, and what none of them has. */
const verifyFolder = Effect.fnUntraced(function* (folder: string, options: Options, show: Show) {
  const verifiedAt = new Set<string>()
  const journals = new Set<string>()
  let places = 0
  const counting: Show = (seen, file) => {
    places += 1
    show(seen, file)
  }
  for (const path of yield* pipelineFilesOf(folder)) {
    for (const location of yield* verifyPipeline(path, options, counting)) verifiedAt.add(resolve(location))
    journals.add(resolve(dirname(path)))
  }
  for (const { kind, path } of placesBelow(folder)) {
    if (kind === "lake" && !verifiedAt.has(resolve(path))) {
      const lake = parquet.with({ path: resolve(path) })
      const failing = Effect.mapError((error: Sink.SinkError) => failed(`${path}: ${error.message}`))
      if (lake.verify === undefined) continue
      const found = yield* failing(verified(path, lake.verify, process.cwd(), options))
      counting({ place: path, compared: filesInWords(found), findings: found.findings })
    } else if (kind === "journal") {
      const directory = dirname(dirname(dirname(path)))
      const name = path.slice(dirname(path).length + 1)
      const journal = journals.has(resolve(directory))
        ? undefined
        : yield* verifyJournal(name, directory, options.repair)
      if (journal !== undefined) counting(journal)
    } else if (kind === "file" && path.endsWith(".duckdb") && !verifiedAt.has(resolve(path))) {
      const found = yield* verifyDatabase(resolve(path))
      counting({
        place: path,
        compared: `${counted(found.tables, "table")} with ${counted(found.rows, "row")}`,
        findings: found.findings
      })
    } else if (kind === "file") {
      const seen = verifyFile(path, options.repair)
      if (seen !== undefined) counting(seen)
    }
  }
  if (places === 0) {
    return yield* wrong(
      `${folder} has no pipeline file, no lake and no data of millrace; name a file or another folder`
    )
  }
})

/** The lakes, journals and files of a folder, also below it. */
const placesBelow = (
  folder: string
): ReadonlyArray<{ readonly kind: "lake" | "journal" | "file"; readonly path: string }> => {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  if (entries.some((entry) => entry.isDirectory() && entry.name === "_manifest"))
    return [{ kind: "lake", path: folder }]
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) return entry.isFile() ? [{ kind: "file" as const, path }] : []
    if (entry.name === "node_modules" || entry.name === ".git" || entry.name === "damaged") return []
    return folder.endsWith(join(".millrace", "pipelines"))
      ? [{ kind: "journal" as const, path }, ...placesBelow(path)]
      : placesBelow(path)
  })
}
