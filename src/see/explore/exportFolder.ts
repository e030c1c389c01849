/**
 * The work behind `millrace explore --export`: writes the page and the data to a folder that any file server can serve.
 *
 * The folder is made beside its final place and then moved there, so the old one stays complete until then.
 */
import { readFileSync } from "node:fs"
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
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
import { fetchedHtml } from "../why/pageHtml.ts"
import { spanContext } from "../why/spanContext.ts"
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
import { exploreRun, exploreRuns, exploreTables } from "./exploreTables.ts"
import { firstQuestion } from "./firstQuestion.ts"
import { contextsTable, diffFile, firstQuestionFile, questionsFile, reportFile, runFile } from "./folderFiles.ts"
import { folderFiles } from "./pageFiles.ts"
import { pageHtml, pageStyle } from "./pageHtml.ts"
import { ignoreMissing, savedQuestions } from "./savedQuestions.ts"

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

/** Each takes some 500 bytes before DuckDB compresses it. */
const mostPlaces = 100_000
/** A host gets one request at a time, so more would take long. */
const mostPages = 200
const pagesAtOnce = 50
const rowsAtOnce = 500

interface Span {
  readonly from: number
  readonly to: number
  readonly value: string | null
}

type Spans = ReadonlyMap<string, ReadonlyArray<Span>>

interface Options {
  /** The file of the folder, with its tables. */
  readonly file: string
  readonly scratch: string
  /** Whether pages whose HTML is not kept are read once more. */
  readonly fetch: boolean
}

/*
 * The text around each place of evidence, in the file of an exported folder: what `Why` shows where no server reads pages.
 *
 * Of a page this has some hundred characters for each place, and nothing where nothing was found on it. The HTML is that of a
 * table that keeps it, or, where the user asks for that, of the page as it is now.
 */

/** The answer says why a place may be without its context. */
const folderContexts = Effect.fn("folderContexts")(function* (
  { loaded, network }: Explorer.Explorer,
  tables: ReadonlyArray<TableInfo>,
  { fetch, file, scratch }: Options
) {
  const names = new Set(tables.flatMap(({ evidence }) => (evidence === undefined ? [] : [evidence.sources])))
  const sources = tables.filter(({ name }) => names.has(name))
  if (sources.length === 0) return []
  const database = yield* orContextsFailed(Database.open({ threads: 1, memory: "1GB", spill: join(scratch, "spill") }))
  yield* orContextsFailed(database.run(`ATTACH ${Database.literal(file)} AS data`))
  yield* orContextsFailed(database.run("USE data"))
  yield* orContextsFailed(
    database.run(
      `CREATE TABLE ${contextsTable} (url VARCHAR, span_from BIGINT, span_to BIGINT, value VARCHAR, "before" VARCHAR,
        marked VARCHAR, "after" VARCHAR, source VARCHAR, matches BOOLEAN)`
    )
  )
  const { isCut, spans } = yield* orContextsFailed(spansIn(database, sources))
  const left = new Set(spans.keys())
  for (const { columns, name } of tables) {
    if (!["url", "raw_html"].every((column) => Column.named(columns, column) !== undefined)) continue
    const urls = [...left]
    for (let at = 0; at < urls.length; at += pagesAtOnce) {
      const pages = yield* orContextsFailed(
        database.values(htmlSql({ name, columns }, urls.slice(at, at + pagesAtOnce)))
      )
      for (const [url, html] of pages) {
        left.delete(String(url))
        yield* orContextsFailed(
          keep(database, spans, { url: String(url), html: String(html), source: `raw_html of ${name}` })
        )
      }
    }
  }
  const notes = isCut ? [`the folder has the texts around the first ${count(mostPlaces)} places of evidence`] : []
  if (left.size > 0 && !fetch) {
    notes.push(
      "the HTML of the page is not kept: an export with --fetch reads pages once more, and shows the place in them"
    )
  }
  if (fetch) {
    const again = yield* fetchedHtml(loaded, network, [...left], mostPages)
    for (const [url, page] of again.pages) yield* orContextsFailed(keep(database, spans, { url, ...page }))
    notes.push(...again.notes)
  }
  yield* orContextsFailed(database.run("USE memory"))
  yield* orContextsFailed(database.run("DETACH data"))
  return notes
}, Effect.scoped)

/** Each place once, whatever number of values are from it, by its page. */
const spansIn = Effect.fnUntraced(function* (database: Database.Database, sources: ReadonlyArray<TableInfo>) {
  const each = sources.map(
    ({ name }) => `SELECT url, span_from, span_to, value FROM ${Column.quote(name)} WHERE span_to IS NOT NULL`
  )
  const rows = yield* database.values(
    `SELECT DISTINCT url, span_from::DOUBLE, span_to::DOUBLE, value FROM (${each.join(" UNION ALL ")})
      ORDER BY ALL LIMIT ${mostPlaces + 1}`
  )
  const spans = new Map<string, Array<Span>>()
  for (const [url, from, to, value] of rows.slice(0, mostPlaces)) {
    const own = spans.get(String(url)) ?? []
    own.push({ from: Number(from), to: Number(to), value: typeof value === "string" ? value : null })
    spans.set(String(url), own)
  }
  const found: { readonly spans: Spans; readonly isCut: boolean } = { spans, isCut: rows.length > mostPlaces }
  return found
})

/** Of a history, or of loads that are appended, the newest of each page. */
const htmlSql = ({ columns, name }: Pick<TableInfo, "name" | "columns">, urls: ReadonlyArray<string>): string => {
  const newest = Column.named(columns, "_run_id") === undefined ? "url" : "_run_id DESC"
  return `SELECT url, raw_html FROM ${Column.quote(name)}
    WHERE raw_html IS NOT NULL AND url IN (${urls.map(Database.literal).join(", ")})
    QUALIFY row_number() OVER (PARTITION BY url ORDER BY ${newest}) = 1`
}

const keep = Effect.fnUntraced(function* (
  database: Database.Database,
  spans: Spans,
  page: { readonly url: string; readonly html: string; readonly source: string }
) {
  const rows = (spans.get(page.url) ?? []).map(({ from, to, value }) => {
    const { after, before, marked, matches, source } = spanContext(page.html, [from, to], value, page.source)
    const texts = [before, marked, after, source].map(textSql)
    return `(${[textSql(page.url), from, to, value === null ? "NULL" : textSql(value), ...texts, matches].join(", ")})`
  })
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    yield* database.run(`INSERT INTO ${contextsTable} VALUES ${rows.slice(at, at + rowsAtOnce).join(", ")}`)
  }
})

/** A statement ends at the character 0. */
const textSql = (text: string): string => Database.literal(text.replaceAll("\u0000", "\uFFFD"))

const orContextsFailed = Effect.mapError(({ message }: Database.DatabaseError) =>
  failed(`the evidence of the folder cannot be written: ${message}`)
)

const module = "@duckdb/duckdb-wasm/dist/duckdb-eh.wasm"

/** The version that the page was tried with. */
const version = "1.32.0"

interface WasmFiles {
  /** A file of the folder, and the file that it is a copy of. */
  readonly copies: ReadonlyArray<readonly [path: string, source: string]>
  readonly texts: ReadonlyArray<readonly [path: string, text: string]>
}

/*
 * What of DuckDB-WASM an exported folder has, as files of the package `@duckdb/duckdb-wasm`.
 *
 * The package takes 141 MB on the disk, of which a folder needs 35 MB. So Millrace does not depend on it: who exports installs it.
 */

/** By the packages of Millrace, then by those of a folder. */
const wasmFiles = Effect.fnUntraced(function* (folder: string) {
  const wasm = resolved(import.meta.url) ?? resolved(join(folder, "package.json"))
  if (wasm === undefined) {
    return yield* wrong(
      `--export needs DuckDB as WebAssembly, which is not installed: npm install @duckdb/duckdb-wasm@${version}`
    )
  }
  const dist = dirname(wasm)
  const arrow = dirname(createRequire(wasm).resolve("apache-arrow/Arrow.dom"))
  const script = readFileSync(join(dist, "duckdb-browser.mjs"), "utf8")
  const files: WasmFiles = {
    copies: [
      ["duckdb/duckdb.wasm", wasm],
      ["duckdb/worker.js", join(dist, "duckdb-browser-eh.worker.js")],
      ["duckdb/Arrow.js", join(arrow, "Arrow.esnext.min.js")],
      ["duckdb/apache-arrow-LICENSE.txt", join(arrow, "LICENSE.txt")],
      ["duckdb/apache-arrow-NOTICE.txt", join(arrow, "NOTICE.txt")]
    ],
    texts: [
      ["duckdb/duckdb-wasm-LICENSE.txt", "@duckdb/duckdb-wasm: MIT, as its package.json says\n"],
      [
        "duckdb/duckdb.js",
        script.replaceAll('from"apache-arrow"', 'from"./apache-arrow.js"').replace(/^\/\/# source.*/m, "")
      ],
      // A classic script before it has made `Arrow`, since the package has no module in one file.
      ["duckdb/apache-arrow.js", "export const { RecordBatchReader, Table, Type } = globalThis.Arrow\n"]
    ]
  }
  return files
})

const resolved = (from: string): string | undefined => {
  try {
    return createRequire(from).resolve(module)
  } catch {
    return undefined
  }
}
