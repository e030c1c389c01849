/**
 * The work behind `millrace explore --export`: writes the page and the data to a folder that any file server can serve.
 *
 * The folder is made beside its final place and then moved there, so the old one stays complete until then.
 */
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"
import { describe } from "#engine/describeDuckdb"
import { tooLarge } from "#engine/duckdbQueries"
import type * as Queries from "#engine/Queries"
import { failed, wrong } from "../CliFailure.ts"
import { printable } from "../printable.ts"
import { reportHtml } from "../report/reportHtml.ts"
import { count, size } from "../summary.ts"
import type {
  DiffAnswer,
  Failure,
  FirstQuestion,
  RunInfo,
  RunPair,
  RunsAnswer,
  SavedQuestions,
  TableInfo,
  TablesAnswer
} from "./ExploreApi.ts"
import type * as Explorer from "./Explorer.ts"
import { exploreDiff } from "./exploreDiff.ts"
import { exploreRun, exploreRuns } from "./exploreRuns.ts"
import { exploreTables } from "./exploreTables.ts"
import { firstQuestion } from "./firstQuestion.ts"
import { folderContexts } from "./folderContexts.ts"
import { diffFile, firstQuestionFile, questionsFile, reportFile, runFile } from "./folderFiles.ts"
import { folderFiles } from "./pageFiles.ts"
import { pageHtml, pageStyle } from "./pageHtml.ts"
import { savedQuestions } from "./savedQuestions.ts"
import { wasmFiles } from "./wasmFiles.ts"

/** The number of newest runs in the folder; the report of each has about 100 kB. */
const mostRuns = 20

/** A folder with this file was written by an export, and may be replaced. */
const tablesFile = "data/tables.json"

export const exportFolder = Effect.fn("exportFolder")(function* (
  explorer: Explorer.Explorer,
  path: string,
  /** Whether the pages of evidence are fetched again. */
  fetch: boolean
) {
  const place = resolve(path)
  yield* mayReplace(place, path)
  const wasm = yield* wasmFiles(process.cwd())
  const beside = yield* Effect.acquireRelease(
    attempt(path, async () => {
      await mkdir(dirname(place), { recursive: true })
      return mkdtemp(join(dirname(place), `.${basename(place)}-`))
    }),
    (folder) => Effect.ignore(Effect.tryPromise(() => rm(folder, { recursive: true, force: true })))
  )
  const made = join(beside, "folder")
  const write = (name: string, text: string) =>
    attempt(path, async () => {
      await mkdir(dirname(join(made, name)), { recursive: true })
      await writeFile(join(made, name), text)
    })
  const answer = yield* exploreTables(explorer, true)
  yield* attempt(path, () => mkdir(join(made, "data"), { recursive: true }))
  const file = join(made, "data/tables.duckdb")
  const tables = yield* folderTables(explorer, answer.tables, beside, file)
  const contexts = yield* folderContexts(explorer, tables, { file, scratch: beside, fetch })
  const written: TablesAnswer = { ...answer, tables, contexts }
  yield* write(tablesFile, JSON.stringify(written))
  yield* write(firstQuestionFile, JSON.stringify(yield* firstOf(explorer, tables)))
  yield* write(questionsFile, JSON.stringify(yield* questionsOf(explorer)))
  const runs = yield* writeRuns(explorer, tables, write)
  const scripts = yield* folderFiles
  const page = { style: "page.css", entry: scripts[0]?.[0] ?? "", head: headOf() }
  for (const [name, text] of [
    ["index.html", pageHtml(explorer.loaded.pipeline.name, page)] as const,
    ["page.css", pageStyle] as const,
    ...scripts,
    ...wasm.texts
  ])
    yield* write(name, text)
  yield* attempt(path, async () => {
    for (const [name, source] of wasm.copies) await copyFile(source, join(made, name))
    // An existing folder is moved away first, because `rename` cannot replace a folder that has files.
    await rename(place, join(beside, "old")).catch(ignoreMissing)
    await rename(made, place)
  })
  const bytes = yield* attempt(path, () => sizeOf(place))
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  process.stdout.write(
    printable(
      `${path}: ${count(tables.length)} tables with ${count(rows)} rows, ${count(runs)} runs, ${size(bytes)}\n` +
        `serve it with any file server, such as: python3 -m http.server --directory ${path}\n`
    )
  )
}, Effect.scoped)

/** It is in the SQL that DuckDB and Postgres share, so that of a Postgres sink does as well. */
const firstOf = Effect.fnUntraced(function* (explorer: Explorer.Explorer, tables: ReadonlyArray<TableInfo>) {
  const answer: FirstQuestion = { first: tables.length === 0 ? null : ((yield* firstQuestion(explorer)) ?? null) }
  return answer
})

const questionsOf = (explorer: Explorer.Explorer) =>
  Effect.map(
    savedQuestions(explorer),
    (saved): SavedQuestions => ({
      ...saved,
      refusal: "a copy of the questions that are saved beside the pipeline"
    })
  )

/** Only a folder that an export has written is replaced. */
const mayReplace = Effect.fnUntraced(function* (place: string, path: string) {
  const entries = yield* attempt(path, () =>
    readdir(place).catch((cause: unknown) => ignoreMissing(cause) ?? ([] as ReadonlyArray<string>))
  )
  const isOurs = yield* attempt(path, () =>
    stat(join(place, tablesFile)).then(
      () => true,
      () => false
    )
  )
  if (entries.length > 0 && !isOurs)
    return yield* wrong(`${path} has files that an export has not written: name a new or an empty folder`)
})

const writeRuns = Effect.fnUntraced(function* (
  explorer: Explorer.Explorer,
  tables: ReadonlyArray<TableInfo>,
  write: (name: string, text: string) => ReturnType<typeof attempt<void>>
) {
  const all = yield* exploreRuns(explorer)
  const runs = all.runs.slice(0, mostRuns)
  for (const { run_id: id } of runs) {
    const report = yield* exploreRun(explorer, id)
    yield* write(runFile(id), JSON.stringify(report))
    yield* write(reportFile(id), reportHtml(report))
  }
  const pairs = pairsOf(runs)
  const keyed = tables.filter(({ key }) => key.length > 0)
  for (const pair of pairs) {
    for (const { name } of keyed) {
      const params = new URLSearchParams({ table: name, ...pair })
      // What no sink can compare has its reason, which the page shows in the place of the differences.
      const found: DiffAnswer | Failure = yield* Effect.catch(exploreDiff(explorer, params), ({ message }) =>
        Effect.succeed({ error: message })
      )
      yield* write(diffFile(pair.to, name), JSON.stringify(found))
    }
  }
  const left = all.runs.length - runs.length
  const notes = left === 0 ? [] : [`${count(left)} older runs are not in this folder`]
  const answer: RunsAnswer = { runs, notes: [...all.notes, ...notes], pairs }
  yield* write("data/runs.json", JSON.stringify(answer))
  return runs.length
})

/** Each load with the one before it. */
const pairsOf = (runs: ReadonlyArray<RunInfo>): ReadonlyArray<RunPair> => {
  const loads = runs.filter(({ sinks }) => sinks.length > 0)
  return loads.flatMap(({ run_id: to }, at) => {
    const from = loads[at + 1]?.run_id
    return from === undefined ? [] : [{ from, to }]
  })
}

/** The scripts run, and WebAssembly; nothing is read from elsewhere. */
const headOf = (): string => {
  const policy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; connect-src 'self'; " +
    "img-src 'self' data:; base-uri 'none'; form-action 'none'"
  return `<meta http-equiv="content-security-policy" content="${policy}">\n<script src="duckdb/Arrow.js"></script>\n`
}

const sizeOf = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size))
  return sizes.reduce((sum, bytes) => sum + bytes, 0)
}

const ignoreMissing = (cause: unknown): undefined => {
  if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined
  throw cause
}

const attempt = <A>(path: string, work: () => Promise<A>) =>
  Effect.tryPromise({
    try: work,
    catch: (cause) => failed(`${path} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`)
  })

/**
 * The tables of a sink as one DuckDB file that DuckDB-WASM reads without an extension.
 *
 * An extension would come from a server of somebody else. So times are UTC without a zone, and JSON is text, as are whole
 * numbers that no type of a file has.
 */

/** The oldest that has small files of texts; the DuckDB of the page is older than ours. */
const storage = "v1.2.0"

/** Writes the file; the answer is the tables as they are in it. */
export const folderTables = Effect.fn("folderTables")(function* (
  { loaded, sink }: Explorer.Explorer,
  tables: ReadonlyArray<TableInfo>,
  /** For files that are gone when this ends. */
  scratch: string,
  file: string
) {
  const parquet = join(scratch, "table.parquet")
  const spill = join(scratch, "spill")
  const database = yield* within(Database.open({ threads: 1, memory: "1GB", spill }))
  yield* within(database.run(`ATTACH ${Database.literal(file)} AS data (STORAGE_VERSION '${storage}')`))
  const written = yield* Effect.forEach(tables, (table) =>
    Effect.gen(function* () {
      // Each question has its own state of the sink; a run that commits meanwhile is in the tables after it.
      yield* Effect.scoped(
        Effect.flatMap(sink.queries(loaded.pipeline.directory, { file: parquet }), (queries) =>
          toParquet(queries, Column.quote(table.name), parquet)
        )
      )
      const from = `read_parquet(${Database.literal(parquet)})`
      const columns = (yield* within(describe(database, from))).map(({ name, sql }) => {
        const description = Column.named(table.columns, name)?.description
        return { name, type: plainType(sql), ...(description === undefined ? {} : { description }) }
      })
      const selected = columns.map(
        ({ name, type }) => `CAST(${Column.quote(name)} AS ${type}) AS ${Column.quote(name)}`
      )
      const own = `data.${Column.quote(table.name)}`
      yield* within(database.run(`CREATE TABLE ${own} AS SELECT ${selected.join(", ")} FROM ${from}`))
      const [rows = 0] = yield* within(Database.numbers(database, `SELECT count(*) FROM ${own}`))
      yield* Effect.promise(() => rm(parquet, { force: true }))
      const info: TableInfo = { ...table, columns, rows }
      return info
    })
  )
  yield* within(database.run("DETACH data"))
  return written
}, Effect.scoped)

/** The rows of a table. Where a file cannot have its whole numbers, those columns are asked for as text. */
const toParquet = (queries: Queries.Queries, name: string, file: string) =>
  Effect.catchIf(
    queries.toParquet(`SELECT * FROM ${name}`),
    ({ message }) => message.includes(tooLarge),
    () =>
      Effect.scoped(
        Effect.flatMap(queries.ask(`SELECT * FROM ${name}`), ({ columns }) => {
          const cells = columns.map(({ name, type }) => {
            const isWhole = type._tag === "DECIMAL" && type.scale === 0
            return isWhole ? `CAST(${Column.quote(name)} AS VARCHAR) AS ${Column.quote(name)}` : Column.quote(name)
          })
          // DuckDB would write a new file beside the unfinished one, which is not allowed here.
          const removed = Effect.promise(() => rm(file, { force: true }))
          return Effect.andThen(removed, queries.toParquet(`SELECT ${cells.join(", ")} FROM ${name}`))
        })
      )
  )

/** A field of a struct may be called JSON: a type has no other word behind it. */
const plainType = (sql: string): string =>
  sql.replace(/"(?:[^"]|"")*"|TIMESTAMP WITH TIME ZONE|\bJSON(?=$|[,)[])/g, (found) =>
    found.startsWith('"') ? found : found === "JSON" ? "VARCHAR" : "TIMESTAMP"
  )

const within = Effect.mapError(({ message }: Database.DatabaseError) =>
  failed(`the tables of the folder cannot be written: ${message}`)
)
