/**
 * The work behind `millrace verify`: compares what is stored with what was written, and says what is right, healed and lost.
 *
 * A pipeline file stands for its sinks and its journal; a folder for its pipeline files, the lakes and databases below it, and the
 * journals and databases below `.millrace`.
 */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs"
import { homedir } from "node:os"
import { basename, dirname, join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Digest from "#base/Digest"
import { sqlite } from "#base/SqliteFile"
import * as SqliteRepair from "#base/SqliteRepair"
import { duckdb } from "#connectors/duckdb/index"
import { parquet } from "#connectors/parquet/index"
import * as Column from "#engine/Column"
import * as Journals from "#engine/Journals"
import { writeOf } from "#engine/planOf"
import type * as Queries from "#engine/Queries"
import * as Sink from "#engine/Sink"
import type * as Table from "#engine/Table"
import { engine } from "#library/services"
import { CliFailure, failed, runFailed, wrong } from "#see/CliFailure"
import { layoutOf } from "#see/layoutOf"
import { type Loaded, loadPipeline } from "#see/loadPipeline"
import { pipelineFilesOf } from "#see/pipelineFiles"
import { jsonLine, printable } from "#see/printable"
import { count, size } from "#see/summary"

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
    const show = (place: Verified, file?: string) => {
      isDamaged ||= place.findings.some(({ outcome }) => outcome !== "healed")
      isRepairable ||= place.findings.some(({ outcome }) => outcome === "damaged" || outcome === "lost")
      process.stdout.write(json ? jsonLine(place) : printable(inWords(place, repair, file)))
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

type Show = (place: Verified, file?: string) => void

const inWords = ({ compared, findings, place }: Verified, repair: boolean, file?: string): string => {
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
    const sinkReport = yield* verifySink(loaded, name, options, path)
    show(sinkReport, path)
    locations.add(sinkReport.location)
  }
  const journal = yield* verifyJournal(pipeline.name, pipeline.directory, options.repair)
  if (journal !== undefined) show(journal, path)
  return locations
})

/** A sink that has files of its own compares them; of one that answers SQL, rows and keys are counted. */
const verifySink = Effect.fnUntraced(function* (loaded: Loaded, name: string, { json, repair }: Options, file: string) {
  const { pipeline } = loaded
  const sink = pipeline.sinks[name]
  const place = `${pipeline.name}: sink ${name}`
  const failing = Effect.mapError((error: Sink.SinkError) => failed(`${place}: ${error.message}`))
  const files =
    sink?.verify === undefined
      ? undefined
      : yield* failing(verified(place, sink.verify, pipeline.directory, { json, repair }))
  const rows = yield* verifyRows(loaded, name, file)
  const compared = [...(files === undefined ? [] : [filesInWords(files)]), rowsInWords(rows)]
  return {
    place,
    location: files?.location ?? "",
    compared: compared.join(", "),
    findings: [...(files?.findings ?? []), ...rows.findings],
    ...(rows.runs.length === 0 ? {} : { runs: rows.runs })
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
    const whole = open(`${directory} ${place}`)
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
  const counting: Show = (place, file) => {
    places += 1
    show(place, file)
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
        compared: rowsInWords(found),
        findings: found.findings,
        ...(found.runs.length === 0 ? {} : { runs: found.runs })
      })
    } else if (kind === "file") {
      const fileReport = verifyFile(path, options.repair)
      if (fileReport !== undefined) counting(fileReport)
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

/**
 * What an interrupted verification has found whole, so that the next one continues: one line for each file, in the cache of this
 * machine. It is removed when a verification has ended.
 */
interface WholeFiles extends Sink.WholeFiles {
  /** Forgets them: the next verification reads all files. */
  readonly end: () => void
}

/** `place`: what is verified. */
const open = (place: string): WholeFiles => {
  const cache = process.env["XDG_CACHE_HOME"] || process.env["LOCALAPPDATA"] || join(homedir(), ".cache")
  const path = join(cache, "millrace", "verify", `${Digest.short(place)}.txt`)
  const known = new Set(existsSync(path) ? readFileSync(path, "utf8").split("\n") : [])
  mkdirSync(dirname(path), { recursive: true })
  return {
    has: (print) => known.has(Digest.short(print)),
    add: (print) => {
      const line = Digest.short(print)
      if (known.has(line)) return
      known.add(line)
      appendFileSync(path, `${line}\n`)
    },
    end: () => rmSync(path, { force: true })
  }
}

/** What was found at one place: a sink, a journal, a file. */
interface Verified {
  readonly place: string
  /** What was compared, in words. */
  readonly compared: string
  readonly findings: ReadonlyArray<Sink.Finding>
  /** The runs whose rows were compared with their hash, and those that could not be. */
  readonly runs?: ReadonlyArray<Sink.ComparedRun>
}

/** What is wrong with a file; undefined: it is none that millrace writes. */
const verifyFile = (path: string, repair: boolean): Verified | undefined => {
  const name = basename(path)
  // It may have been moved away with the run that it is of.
  const bytes = statSync(path, { throwIfNoEntry: false })?.size
  if (bytes === undefined) return undefined
  if (name === "seal-key" || name === "webhook-secret") {
    const isEmpty = readFileSync(path, "utf8").trim() === ""
    const message = `${path} is empty: put it back from a backup; without it what was sealed or signed cannot be read`
    return { place: path, compared: "a secret", findings: isEmpty ? [{ path, message, outcome: "open" }] : [] }
  }
  if (!name.endsWith(".sqlite")) return undefined
  return {
    place: path,
    compared: size(bytes),
    findings: rowsKept.has(name) ? rowsOf(path, repair) : pagesOf(path, repair)
  }
}

/** The files of which what can be read is saved. */
const rowsKept = new Set(["schedule.sqlite", "service.sqlite"])

const rowsOf = (path: string, repair: boolean): ReadonlyArray<Sink.Finding> => {
  try {
    if (repair) {
      return SqliteRepair.repair(path, Number.POSITIVE_INFINITY).map((lost) => ({
        path,
        message: SqliteRepair.inWords(lost),
        outcome: lost.table === "" ? "healed" : "lost"
      }))
    }
    return SqliteRepair.inspect(path).map((fault) => ({
      path,
      message: `${path}: ${fault}; \`--repair\` saves all that can be read`,
      outcome: "damaged"
    }))
  } catch (cause) {
    const fault = cause instanceof Error ? cause.message : String(cause)
    if (cause instanceof SqliteRepair.Unreadable || !repair) return [findingOf(path, fault, repair)]
    return [{ path, message: fault, outcome: "open" }]
  }
}

const pagesOf = (path: string, repair: boolean): ReadonlyArray<Sink.Finding> => {
  const fault = damageOf(path)
  return fault === undefined ? [] : [findingOf(path, fault, repair)]
}

/** The files that millrace makes anew if they are not there. Any other one is somebody's own, and is only named. */
const ours = new Set(["gov.sqlite", "schedule.sqlite", "service.sqlite"])

const findingOf = (path: string, fault: string, repair: boolean): Sink.Finding => {
  if (!ours.has(basename(path)))
    return { path, message: `${path}: ${fault}; put it back from a backup`, outcome: "open" }
  if (!repair)
    return { path, message: `${path}: ${fault}; \`--repair\` moves it away, and all begins anew`, outcome: "lost" }
  const to = SqliteRepair.damagedName(path)
  for (const end of ["", "-wal", "-shm"]) {
    if (statSync(path + end, { throwIfNoEntry: false }) !== undefined) renameSync(path + end, to + end)
  }
  return { path, message: `${path}: ${fault}; it was moved to ${to}, and all begins anew`, outcome: "lost" }
}

/** What SQLite says of all pages and indexes. The database may be in use. */
const damageOf = (path: string): string | undefined => {
  try {
    const database = new (sqlite().DatabaseSync)(path, { readOnly: true, timeout: 5000 })
    try {
      const answer = database.prepare("PRAGMA integrity_check(1)").get()?.["integrity_check"]
      return answer === "ok" ? undefined : String(answer).replaceAll(/\s+/g, " ")
    } finally {
      database.close()
    }
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}

/**
 * The rows of a destination that answers SQL: each row is read, so that the database compares its own checksums, and the keys of
 * merge and scd2 are looked through for doubles.
 */
const verifyRows = Effect.fnUntraced(function* (loaded: Loaded, name: string, file: string) {
  const { pipeline } = loaded
  const sink = pipeline.sinks[name]
  const findings: Array<Sink.Finding> = []
  const found: StoredRows = { tables: 0, rows: 0, runs: [], findings }
  if (sink?.queries === undefined) return found
  const layout = yield* layoutOf(loaded)
  const opened = yield* Effect.result(sink.queries(pipeline.directory, {}))
  if (opened._tag === "Failure") {
    findings.push(openOf(name, `${name}: ${opened.failure.message}`))
    return found
  }
  const runs = yield* Effect.orElseSucceed(sink.runs(pipeline.directory), () => [])
  const stored = new Set(
    runs.flatMap((run) => Object.entries(run.rows).flatMap(([table, rows]) => (rows > 0 ? [table] : [])))
  )
  for (const table of layout.tables.filter((one) => stored.has(one.name))) {
    const write = writeOf(sink, layout, table)
    const counted = yield* Effect.result(
      tableOf(opened.success, sink, {
        table,
        write,
        loaded: write === "append" ? loadedBy(runs, table.name) : undefined
      })
    )
    if (counted._tag === "Failure") findings.push(openOf(table.name, `table ${table.name}: ${counted.failure.message}`))
    else {
      found.tables += 1
      found.rows += counted.success.rows
      findings.push(...counted.success.findings)
    }
  }
  const answers = join(Journals.folderOf(pipeline.name, pipeline.directory), "runs")
  const compared = yield* Effect.result(
    compareRuns(sink, pipeline.directory, (run) =>
      existsSync(join(answers, run)) ? `replay ${run} ${file}` : `run --full-refresh ${file}`
    )
  )
  if (compared._tag === "Failure") findings.push(openOf(name, `${name}: ${compared.failure.message}`))
  else {
    found.runs = compared.success.runs.filter(({ table }) => stored.has(table))
    findings.push(...compared.success.findings.filter(({ path }) => stored.has(path)))
  }
  return found
}, Effect.scoped)

/** What was found in the tables of a destination. */
interface StoredRows {
  tables: number
  rows: number
  runs: ReadonlyArray<Sink.ComparedRun>
  readonly findings: Array<Sink.Finding>
}

const rowsInWords = ({ rows, runs, tables }: StoredRows): string => {
  const without = new Map(
    runs.flatMap(({ notCompared, run }) => (notCompared === undefined ? [] : [[run, notCompared]]))
  )
  const hashed = new Set(runs.flatMap(({ run }) => (without.has(run) ? [] : [run]))).size
  const reasons = [...new Set(without.values())].map((why) => notComparedInWords[why])
  return [
    `${counted(tables, "table")} with ${counted(rows, "row")}`,
    ...(hashed === 0 ? [] : [`${counted(hashed, "run")} by ${hashed === 1 ? "its hash" : "their hashes"}`]),
    ...(without.size === 0 ? [] : [`${counted(without.size, "run")} by count only (${reasons.join("; ")})`])
  ].join(", ")
}

const notComparedInWords: Readonly<Record<Sink.NotCompared, string>> = {
  unrecorded: "no hash was recorded",
  columns: "columns have changed since",
  refreshed: "a full refresh has compared them since",
  method: "the database hashes in another way now",
  untold: "the database filled some of their cells itself"
}

/** Compares the rows of each run with the hash that it recorded. `commandOf`: what loads a run again. */
const compareRuns = <R>({ compareRows }: Sink.Destination<R>, directory: string, commandOf: (run: string) => string) =>
  Effect.map(compareRows?.(directory) ?? Effect.succeed([]), (runs: ReadonlyArray<Sink.ComparedRun>) => ({
    runs,
    findings: runs.flatMap(({ found, isChanged, recorded, run, table }) => {
      if (recorded === undefined) return []
      const since = isChanged === true ? ", or differed when a later run replaced some of them" : ""
      const message = `run ${run} of table ${table}: rows differ from what was written${since} (recorded ${recorded}; found ${found}); load it again: millrace ${commandOf(run)}`
      return [openOf(table, message)]
    })
  }))

/** The tables of a DuckDB file that no pipeline of a folder names. */
const verifyDatabase = Effect.fnUntraced(function* (path: string) {
  const findings: Array<Sink.Finding> = []
  const found: StoredRows = { tables: 0, rows: 0, runs: [], findings }
  const sink = duckdb.with({ path })
  const read = Effect.gen(function* () {
    if (sink.queries === undefined) return
    const queries = yield* sink.queries(process.cwd(), {})
    const answer = yield* queries.ask(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_type = 'BASE TABLE'"
    )
    for (const { name } of (yield* Stream.runCollect(answer.rows)).flat()) {
      found.rows += yield* rowsAtPlace(queries, sink, String(name))
      found.tables += 1
    }
    const compared = yield* compareRuns(sink, process.cwd(), (run) => `replay ${run}`)
    found.runs = compared.runs
    findings.push(...compared.findings)
  })
  yield* Effect.catch(read, ({ message }) => Effect.sync(() => void findings.push(openOf(path, message))))
  return found
}, Effect.scoped)

const openOf = (path: string, message: string): Sink.Finding => ({ path, message, outcome: "open" })

/** The rows that the runs of the record loaded into a table. */
const loadedBy = (runs: ReadonlyArray<Sink.RunRecord>, table: string): number =>
  runs.reduce((sum, { rows }) => sum + (rows[table] ?? 0), 0)

interface Looked {
  readonly table: Table.Table
  readonly write: Sink.WriteDisposition
  /** The rows that its runs loaded, if each load adds rows. */
  readonly loaded: number | undefined
}

const tableOf = Effect.fnUntraced(function* <R>(
  queries: Queries.Queries,
  sink: Sink.Destination<R>,
  { loaded, table, write }: Looked
) {
  const name = Column.quote(table.name)
  const rows = yield* rowsAtPlace(queries, sink, table.name)
  const findings: Array<Sink.Finding> = []
  const lost = (message: string) => findings.push(openOf(table.name, `table ${table.name}: ${message}`))
  if (loaded !== undefined && rows < loaded) lost(`it has ${rows} rows, and its runs loaded ${loaded}`)
  const key = [...(sink.shared === true ? [Sink.pipelineColumn.name] : []), ...table.key].map(Column.quote).join(", ")
  if (table.key.length === 0 || (write !== "merge" && write !== "scd2")) return { rows, findings }
  const where = write === "scd2" ? "WHERE is_current" : ""
  const doubled = `SELECT 1 AS one FROM ${name} ${where} GROUP BY ${key} HAVING count(*) > 1`
  const [doubles = 0] = yield* numbers(queries, `SELECT count(*) FROM (${doubled}) AS doubles`)
  if (doubles > 0) lost(`${doubles} keys have several ${write === "scd2" ? "current versions" : "rows"}`)
  if (write !== "scd2") return { rows, findings }
  const before = `lag(valid_to) OVER (PARTITION BY ${key} ORDER BY valid_from, valid_to)`
  const versions = `SELECT valid_from, ${before} AS ended FROM ${name}`
  const [overlaps = 0] = yield* numbers(
    queries,
    `SELECT count(*) FROM (${versions}) AS versions WHERE ended > valid_from`
  )
  if (overlaps > 0) lost(`${overlaps} versions begin before the one before them ends`)
  return { rows, findings }
})

/** Reads each row of a table, and counts them. */
const rowsAtPlace = <R>(queries: Queries.Queries, { type }: Sink.Destination<R>, table: string) => {
  const all = type === "postgres" ? `sum(hashtext(t::text))` : "bit_xor(hash(t))"
  return Effect.map(numbers(queries, `SELECT count(*), ${all} FROM ${Column.quote(table)} AS t`), ([rows = 0]) => rows)
}

/** The numbers of the only row of a query. */
const numbers = Effect.fnUntraced(function* (queries: Queries.Queries, sql: string) {
  const answer = yield* queries.ask(sql)
  const chunks = yield* Stream.runCollect(answer.rows)
  const row = [...chunks].flat()[0] ?? {}
  return answer.columns.map(({ name }) => Number(row[name] ?? 0))
})
