/**
 * Answers from the files of an exported folder, of any file server: tables and where values come from by DuckDB in this
 * browser, and runs, reports and differences as the export has written them.
 */
import { directionOf, furthestFirst, moved } from "../../diff/moved.ts"
import type { ReportModel } from "../../report/ReportModel.ts"
import { csvField } from "../../sql/csvField.ts"
import { errorPlace } from "../../sql/errorPlace.ts"
import {
  current,
  evidenceBeside,
  evidenceIn,
  isBeside,
  notesWithout,
  readingOf,
  textIn,
  textOf
} from "../../why/evidenceRows.ts"
import type { Context, Evidence, WhyModel } from "../../why/WhyModel.ts"
import type {
  CellValue,
  ColumnInfo,
  DiffAnswer,
  Failure,
  FirstQuestion,
  ProfileAnswer,
  ProfileQuestion,
  RowsAnswer,
  RowsQuestion,
  RunsAnswer,
  SavedQuestions,
  TableInfo,
  TablesAnswer,
  WhyQuestion
} from "../ExploreApi.ts"
import { contextsTable, diffFile, firstQuestionFile, questionsFile, reportFile, runFile } from "../folderFiles.ts"
import {
  allSql,
  countSql,
  filledSql,
  filteredSql,
  literal,
  longestCell,
  type Part,
  partSql,
  quote
} from "../gridSql.ts"
import * as Profile from "../profileSql.ts"
import { AnswerError, type Answers } from "./Answers.ts"
import { taskPauses } from "./times.ts"

const sqlLimits = { rows: 10_000, cell: 2000 }
const longestValue = 1_000_000

export const folderAnswers = (folder: URL): Answers => {
  /** `A` is what `ExploreApi.ts` says of the file: the export has written it with this page. */
  const read = async <A>(path: string): Promise<A> => {
    const response = await fetch(new URL(path, folder))
    if (!response.ok) throw new Error(`${path} cannot be read: the server says ${response.status}`)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the comment above says
    return (await response.json()) as A
  }
  const tables = once(() => read<TablesAnswer>("data/tables.json"))
  const database = once<FolderDatabase>(() => openFolder(folder))
  const partOf = async (question: RowsQuestion): Promise<Part> => {
    const table = (await tables()).tables.find(({ name }) => name === question.table)
    if (table === undefined) throw new Error(`there is no table ${question.table}`)
    return { ...question, columns: table.columns, key: table.key, dialect: "DuckDB", isWhole: question.whole === true }
  }
  const runs = once(() => read<RunsAnswer>("data/runs.json"))
  const readOnly = () => Promise.reject(new Error("this folder is a copy: questions are saved where the pipeline is"))
  return {
    tables,
    rows: async (question, signal) => {
      const [part, data] = [await partOf(question), await database()]
      const cell = part.isWhole ? longestValue : longestCell
      const { rows } = await data.ask(partSql(part), { rows: question.limit, cell }, signal)
      if (question.count !== true) return { columns: part.columns, rows }
      const sql = countSql(part, rows.length)
      const counted = sql === undefined ? undefined : await data.ask(sql, { rows: 1, cell }, signal)
      const total = Number(counted?.rows[0]?.[0] ?? part.offset + rows.length)
      const countQuestion = filledSql(part, rows)
      const filled =
        countQuestion === undefined ? undefined : await data.ask(countQuestion.sql, { rows: 1, cell }, signal)
      const empty = (countQuestion?.names ?? []).filter((_, at) => Number(filled?.rows[0]?.[at]) === 0)
      return { columns: part.columns, rows, total, empty }
    },
    profile: async (question, signal) => {
      const { columns } = await partOf({ ...everything, ...question })
      const data = await database()
      // A statement that is under way ends by itself: DuckDB writes each that it cancels on the console of the page.
      const ask = (sql: string) => {
        signal.throwIfAborted()
        return data.ask(sql, { rows: sqlLimits.rows, cell: longestCell })
      }
      return profileOf(ask, question, columns)
    },
    // The Parquet of DuckDB is an extension, which would come from elsewhere.
    formats: ["csv"],
    fileUrl: async (question, _, signal) => {
      const part = await partOf({ ...everything, ...question })
      const data = await database()
      const found = await data.ask(allSql(part), { rows: Number.MAX_SAFE_INTEGER - 1, cell: longestValue }, signal)
      return URL.createObjectURL(await csvBlob(found))
    },
    sql: async (sql, signal) => {
      const data = await database()
      return data.ask(sql, sqlLimits, signal).catch((error: unknown) => {
        if (signal.aborted || !(error instanceof Error)) throw error
        const [line = ""] = error.message.split("\n")
        throw new AnswerError(line, errorPlace(sql, error.message))
      })
    },
    firstQuestion: () => read<FirstQuestion>(firstQuestionFile),
    questions: () => read<SavedQuestions>(questionsFile),
    saveQuestion: readOnly,
    deleteQuestion: readOnly,
    runs,
    run: (id) => read<ReportModel>(runFile(id)),
    diff: async ({ by = "", table, to }) => {
      const found = await read<DiffAnswer | Failure>(diffFile(to, table))
      if ("error" in found) throw new Error(found.error)
      return by === "" ? found : movedIn(found, by)
    },
    reportUrl: reportFile,
    why: async (question) => {
      const [ownTables, ownRuns, data] = await Promise.all([tables(), runs(), database()])
      const ask = (sql: string) => data.ask(sql, { rows: sqlLimits.rows, cell: longestValue })
      return folderWhy({ tables: ownTables, runs: ownRuns, ask }, question)
    },
    readsAgain: false
  }
}

/** Of the changes that the folder has. */
const movedIn = (found: DiffAnswer, by: string): DiffAnswer => {
  const { column, isDown } = directionOf(by)
  const rows = found.changes.flatMap((change) => {
    const field = change.fields.find(({ name }) => name === column)
    const far = field !== undefined && "old" in field ? moved(field.old, field.new) : undefined
    return far === undefined || far < 0 !== isDown ? [] : [{ by: far, change }]
  })
  return { ...found, moved: rows.length, changes: rows.toSorted(furthestFirst).map(({ change }) => change) }
}

const everything = { find: "", where: [], order: "", offset: 0, limit: 0 }

/** An export has no profile of a run: its rows are looked at. */
const profileOf = async (
  ask: (sql: string) => Promise<RowsAnswer>,
  { columns: names, table, where }: ProfileQuestion,
  all: TablesAnswer["tables"][number]["columns"]
): Promise<ProfileAnswer> => {
  const columns = all.filter(({ name }) => names.includes(name))
  const only = filteredSql({ where, columns: all })
  const [[rows] = []] = (await ask(Profile.rowsSql({ table, only }))).rows
  const source: Profile.Source = { table, only, rows: Number(rows), dialect: "DuckDB" }
  const found = await ask(Profile.figuresSql(source, columns))
  const row = Object.fromEntries(found.columns.map(({ name }, at) => [name, found.rows[0]?.[at]]))
  const figures = Profile.figuresIn(source, columns, row)
  const sql = Profile.countsSql(source, figures)
  const counts = sql === undefined ? [] : (await ask(sql)).rows
  return {
    basis: `The figures are ${Profile.basisOf(source)}.`,
    columns: Profile.summariesOf(
      source,
      figures,
      counts.map(([at, value = null, count]) => ({ at: Number(at), value, count: Number(count) }))
    )
  }
}

/** What was read once is there; what could not be read is asked for again. */
const once = <A>(make: () => Promise<A>): (() => Promise<A>) => {
  let made: Promise<A> | undefined
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    }))
}

/** Rows that become text before the page does something else. */
const rowsAtOnce = 2000

/** Rows as a CSV file in the browser, as the server writes it: null is an empty cell, and an empty text is "". */
const csvBlob = async ({ columns, rows }: RowsAnswer): Promise<Blob> => {
  const areTexts = columns.map(({ type }) => type === "VARCHAR" || type === "JSON")
  const cell = (value: CellValue, at: number): string =>
    value === null ? "" : csvField(String(value), areTexts[at] === true)
  const parts = [`${columns.map(({ name }) => csvField(name, true)).join(",")}\n`]
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    parts.push(
      rows
        .slice(at, at + rowsAtOnce)
        .map((row) => `${row.map(cell).join(",")}\n`)
        .join("")
    )
    await turn()
  }
  return new Blob(parts, { type: "text/csv" })
}

/** The page takes what waits: keys, a click, a frame. */
const turn = (): Promise<void> =>
  new Promise((done) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener("message", () => {
      port1.close()
      done()
    })
    port1.start()
    port2.postMessage(undefined)
  })

/** What is used of `@duckdb/duckdb-wasm`, which is a package of the folder and not of this page. */
interface Wasm {
  readonly AsyncDuckDB: new (logger: object, worker: Worker) => Instance
  readonly VoidLogger: new () => object
}

interface Instance {
  readonly instantiate: (module: string) => Promise<unknown>
  readonly open: (config: object) => Promise<void>
  readonly registerFileBuffer: (name: string, bytes: Uint8Array) => Promise<void>
  readonly connect: () => Promise<Connection>
}

interface Connection {
  readonly query: (sql: string) => Promise<Batch>
  readonly send: (sql: string) => Promise<AsyncIterable<Batch>>
  readonly cancelSent: () => Promise<boolean>
}

/** Of Apache Arrow. */
interface Batch {
  readonly numRows: number
  readonly getChildAt: (column: number) => { readonly get: (row: number) => unknown } | null
}

interface Limits {
  readonly rows: number
  readonly cell: number
}

/**
 * The tables of an exported folder, asked in the browser: DuckDB as WebAssembly, in a worker.
 *
 * It reads one file, needs no extension of DuckDB, and loads none: nothing is asked of any other server.
 */
interface FolderDatabase {
  readonly ask: (sql: string, limits: Limits, signal?: AbortSignal) => Promise<RowsAnswer>
}

const openFolder = async (folder: URL): Promise<FolderDatabase> => {
  const at = (path: string): string => new URL(path, folder).href
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the export has put this version of the package there
  const { AsyncDuckDB, VoidLogger } = (await import(at("duckdb/duckdb.js"))) as Wasm
  const database = new AsyncDuckDB(new VoidLogger(), new Worker(at("duckdb/worker.js")))
  const [bytes, program] = await Promise.all([bytesOf(at("data/tables.duckdb")), bytesOf(at("duckdb/duckdb.wasm"))])
  // A browser compiles what has this type only, and a file server may not know it.
  const url = URL.createObjectURL(new Blob([program], { type: "application/wasm" }))
  try {
    await database.instantiate(url)
  } finally {
    URL.revokeObjectURL(url)
  }
  await database.open({ path: ":memory:", query: { castBigIntToDouble: false } })
  await database.registerFileBuffer("tables.duckdb", bytes)
  const connection = await database.connect()
  for (const sql of [
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "ATTACH 'tables.duckdb' AS data (READ_ONLY)",
    "USE data",
    "SET enable_external_access = false",
    "SET lock_configuration = true"
  ])
    await connection.query(sql)
  // One question at a time: a connection has one answer.
  let last: Promise<unknown> = Promise.resolve()
  return {
    ask: (sql, limits, signal) => {
      const next = last.then(() => ask(connection, sql, limits, signal))
      last = next.catch(() => undefined)
      return next
    }
  }
}

const bytesOf = async (url: string): Promise<Uint8Array<ArrayBuffer>> => {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} cannot be read: the server says ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}

const ask = async (
  connection: Connection,
  sql: string,
  limits: Limits,
  signal: AbortSignal | undefined
): Promise<RowsAnswer> => {
  signal?.throwIfAborted()
  const inner = `(\n${sql.trim().replace(/;+\s*$/, "")}\n)`
  const described = await connection.query(`DESCRIBE SELECT * FROM ${inner}`)
  signal?.throwIfAborted()
  const columns = Array.from(
    { length: described.numRows },
    (_, row): ColumnInfo => ({
      name: String(described.getChildAt(0)?.get(row)),
      type: String(described.getChildAt(1)?.get(row))
    })
  )
  let isOver = false
  /** There is nothing to cancel until the worker has begun, so it is asked until it says yes. */
  const cancel = async (): Promise<void> => {
    if (!isOver && !(await connection.cancelSent())) await cancel()
  }
  const stop = (): void => void cancel()
  signal?.addEventListener("abort", stop)
  try {
    const rows: Array<ReadonlyArray<CellValue>> = []
    const select = `SELECT ${columns.map(selected).join(", ")} FROM ${inner} LIMIT ${limits.rows + 1}`
    const pause = taskPauses()
    for await (const batch of await connection.send(select)) {
      signal?.throwIfAborted()
      const vectors = columns.map(({ type }, at) => ({ type, values: batch.getChildAt(at) }))
      for (let row = 0; row < batch.numRows; row++) {
        rows.push(vectors.map(({ type, values }) => cellOf(type, values?.get(row), limits.cell)))
        await pause()
      }
    }
    const cut = `Only the first ${limits.rows.toLocaleString("en-US")} rows are shown.`
    return rows.length > limits.rows ? { columns, rows: rows.slice(0, limits.rows), cut } : { columns, rows }
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    isOver = true
    signal?.removeEventListener("abort", stop)
  }
}

const isNumber = (type: string): boolean => /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*)$/.test(type)

/** Numbers that JavaScript may not have, times and nested values come as text. */
const selected = ({ name, type }: ColumnInfo): string => {
  const quoted = quote(name)
  if (/^(BOOLEAN|DOUBLE|FLOAT)$/.test(type)) return quoted
  const text = `CAST(${quoted} AS VARCHAR)`
  return type.startsWith("TIMESTAMP") ? `regexp_replace(${text}, '^(\\S+) (\\S+)$', '\\1T\\2Z')` : text
}

const cellOf = (type: string, value: unknown, longest: number): CellValue => {
  if (value === null || value === undefined) return null
  if (typeof value === "boolean") return value
  if (isNumber(type)) {
    const number = Number(value)
    return Number.isInteger(number) && !Number.isSafeInteger(number) ? String(value) : number
  }
  const text = String(value)
  return text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text
}

type Row = Readonly<Record<string, unknown>>

interface Folder {
  readonly tables: TablesAnswer
  readonly runs: RunsAnswer
  readonly ask: (sql: string) => Promise<RowsAnswer>
}

/** Where a value of an exported folder comes from: what `millrace why` says, by the tables that the folder has. */
const folderWhy = async (folder: Folder, { column, key, table }: WhyQuestion): Promise<WhyModel> => {
  const info = folder.tables.tables.find(({ name }) => name === table)
  const known = info?.columns.find(({ name }) => name === column)
  if (info === undefined || known === undefined) throw new Error(`there is no column ${table}.${column}`)
  const [row] = current(await rowsOf(folder, info.name, key))
  if (row === undefined) throw new Error(`table ${table} has no such row`)
  const { run_id: runId, ...reading } = readingOf(row)
  const run = folder.runs.runs.find((one) => one.run_id === runId)
  const found = await evidenceFor(folder, info, row, column)
  const evidence = await inContext(folder, found)
  const value = row[column] ?? null
  const isLacking = evidence.some(({ context, span }) => context === null && span !== null)
  return {
    pipeline: folder.tables.pipeline,
    sink: folder.tables.sink,
    table,
    key,
    column,
    type: known.type,
    value,
    row: { ...reading, run_id: runId },
    run: run === undefined ? null : { started_at: run.started_at, status: run.status },
    engine: await engineOf(folder, reading.job_id),
    reading: info.reading === undefined ? null : { column: info.reading, version: row[info.reading] ?? null },
    evidence,
    notes: [
      ...notesWithout(table, info.evidence !== undefined || isBeside(info.columns, column), evidence, value),
      ...(isLacking ? (folder.tables.contexts ?? []) : [])
    ]
  }
}

const evidenceFor = async (folder: Folder, { evidence, name }: TableInfo, row: Row, column: string) => {
  if (evidence === undefined) return evidenceBeside(row, column)
  const { main, on, sources } = evidence
  const values = Object.entries(on).map(([own, theirs]) => [own, row[theirs] ?? null] as const)
  const all = await rowsOf(folder, sources, Object.fromEntries(values))
  return evidenceIn(all, { main: { name: main }, table: { name }, row, column })
}

/** Each with the text around its place, if the export had the page. */
const inContext = async (
  { ask }: Folder,
  found: ReadonlyArray<Omit<Evidence, "context">>
): Promise<ReadonlyArray<Evidence>> => {
  const urls = [...new Set(found.map(({ url }) => url))]
  if (urls.length === 0) return []
  const rows = recordsOf(
    await ask(`SELECT * FROM ${quote(contextsTable)} WHERE url IN (${urls.map((url) => literal(url)).join(", ")})`)
  )
  const nameOf = (parts: ReadonlyArray<unknown>): string => JSON.stringify(parts)
  const contexts = new Map(
    rows.map((row): readonly [string, Context] => [
      nameOf([row["url"], Number(row["span_from"]), Number(row["span_to"]), row["value"]]),
      {
        before: textIn(row, "before") ?? "",
        marked: textIn(row, "marked") ?? "",
        after: textIn(row, "after") ?? "",
        source: textIn(row, "source") ?? "",
        matches: row["matches"] === true
      }
    ])
  )
  return found.map((one) => ({
    ...one,
    context: (one.span && contexts.get(nameOf([one.url, ...one.span, one.value]))) ?? null
  }))
}

/** Who read the values of a job, as the table of jobs has it. */
const engineOf = async (folder: Folder, job: string | null): Promise<WhyModel["engine"]> => {
  for (const { columns, key, name } of folder.tables.tables) {
    const id = ["job_id", "run_id"].find((one) => key.join() === one)
    if (job === null || id === undefined || !columns.some((column) => column.name === "engine")) continue
    const [row] = await rowsOf(folder, name, { [id]: job })
    const engine = row && textIn(row, "engine")
    if (row !== undefined && engine != null) return { name: engine, model: textIn(row, "model") }
  }
  return null
}

/** The rows of a table whose columns have these values, those of the last run first. */
const rowsOf = async (
  { ask, tables }: Folder,
  table: string,
  values: Readonly<Record<string, unknown>>
): Promise<ReadonlyArray<Row>> => {
  const columns = tables.tables.find(({ name }) => name === table)?.columns ?? []
  const same = Object.entries(values).map(([name, value]) => {
    const type = columns.find((column) => column.name === name)?.type ?? "VARCHAR"
    if (value === null) return `${quote(name)} IS NULL`
    // A moment has several spellings.
    return type.startsWith("TIMESTAMP")
      ? `${quote(name)} = CAST(${literal(textOf(value))} AS TIMESTAMP)`
      : `CAST(${quote(name)} AS VARCHAR) = ${literal(textOf(value))}`
  })
  const only = same.length === 0 ? "" : ` WHERE ${same.join(" AND ")}`
  const order = columns.some(({ name }) => name === "_run_id") ? " ORDER BY _run_id DESC" : ""
  return recordsOf(await ask(`SELECT * FROM ${quote(table)}${only}${order} LIMIT 1000`))
}

const recordsOf = ({ columns, rows }: RowsAnswer): ReadonlyArray<Row> =>
  rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[at] ?? null])))
