/**
 * The tables of an exported folder, asked in the browser: DuckDB as WebAssembly, in a worker.
 *
 * It reads one file, needs no extension of DuckDB, and loads none: nothing is asked of any other server.
 */
import type { CellValue, ColumnInfo, RowsAnswer } from "../ExploreApi.ts"
import { quote } from "../gridSql.ts"

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

export interface FolderDatabase {
  readonly ask: (sql: string, limits: Limits, signal?: AbortSignal) => Promise<RowsAnswer>
}

export const openFolder = async (folder: URL): Promise<FolderDatabase> => {
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
  const columns = Array.from(
    { length: described.numRows },
    (_, row): ColumnInfo => ({
      name: String(described.getChildAt(0)?.get(row)),
      type: String(described.getChildAt(1)?.get(row))
    })
  )
  const stop = (): void => void connection.cancelSent()
  signal?.addEventListener("abort", stop)
  try {
    const rows: Array<ReadonlyArray<CellValue>> = []
    const select = `SELECT ${columns.map(selected).join(", ")} FROM ${inner} LIMIT ${limits.rows + 1}`
    for await (const batch of await connection.send(select)) {
      for (let row = 0; row < batch.numRows; row++) {
        rows.push(columns.map(({ type }, column) => cellOf(type, batch.getChildAt(column)?.get(row), limits.cell)))
      }
    }
    const cut = `Only the first ${limits.rows.toLocaleString("en-US")} rows are shown.`
    return rows.length > limits.rows ? { columns, rows: rows.slice(0, limits.rows), cut } : { columns, rows }
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
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
