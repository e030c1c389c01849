/**
 * The sinks of a sequence, and what other programs than ours find in them: the DuckDB driver, `pg`, `node:sqlite`, and the text of files.
 *
 * A cell is read by the type that its column should have, and made the text of the model; the types are compared by themselves.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import {
  type DuckDBConnection,
  DuckDBDecimalValue,
  DuckDBInstance,
  DuckDBListValue,
  DuckDBStructValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue
} from "@duckdb/node-api"
import * as Redacted from "effect/Redacted"
import { Client } from "pg"
import { duckdb } from "#connectors/duckdb/index"
import { file } from "#connectors/file/index"
import { Database, memory } from "#connectors/memory/index"
import { parquet } from "#connectors/parquet/index"
import { postgres } from "#connectors/postgres/index"
import { sqlite } from "#connectors/sqlite/index"
import type { Spec } from "../../../src/index.ts"
import type { Place } from "./Model.ts"
import { type Named, shown, sqlOf, type Type } from "./values.ts"

export const kinds = ["memory", "duckdb", "lake", "jsonl", "csv", "parquet", "postgres", "sqlite"] as const
export type Kind = (typeof kinds)[number]

export interface At extends Place {
  readonly kind: Kind
}

/** Where the sinks of one sequence are. */
export interface Ground {
  readonly folder: string
  /** The database, of which the sequence has schemas of its own. */
  readonly postgres: string | undefined
  readonly schema: string
}

type Sinks = Spec["sinks"]

export const sinkAt = ({ closes, kind, name, write }: At, { folder, postgres: url, schema }: Ground): Sinks[string] => {
  const how = { write, ...(closes ? { removed: "close" as const } : {}) }
  const path = join(folder, name)
  switch (kind) {
    case "memory":
      return memory.with({ name: `${schema}_${name}`, ...how })
    case "duckdb":
      return duckdb.with({ path: `${path}.duckdb`, ...how })
    case "lake":
      return parquet.with({ path, ...how })
    case "sqlite":
      return sqlite.with({ path: `${path}.sqlite`, ...how })
    case "postgres":
      return postgres.with({ url: Redacted.make(url ?? ""), schema: `${schema}_${name}`, ...how })
    case "jsonl":
    case "csv":
    case "parquet":
      return file.with({ path, format: kind, write })
  }
}

/** A table as another program finds it. */
export interface Found {
  /** The types of the columns in the words of the destination; empty: it has no types. */
  readonly types: ReadonlyMap<string, string>
  /** The rows with cells as texts of the model, by the types that the columns should have. */
  readonly rows: (columns: ReadonlyArray<Named>) => ReadonlyArray<ReadonlyMap<string, string>>
}

/** What a type is called in a destination. */
export const typeAt = (kind: Kind, type: Type): string => {
  if (kind === "postgres") return inPostgres(type)
  if (kind === "sqlite") return inSqlite(type)
  const sql = sqlOf(type)
    .replaceAll(/ DECIMAL\((\d+), /g, " DECIMAL($1,")
    .replace(/^DECIMAL\((\d+), /, "DECIMAL($1,")
  const tight = sql.replaceAll(", ", ",").replaceAll('"', "")
  return kind === "duckdb" ? tight.replaceAll("TIMESTAMP", "TIMESTAMP WITH TIME ZONE") : tight
}

const inPostgres = (type: Type): string => {
  const names: Partial<Record<Type["_tag"], string>> = {
    VARCHAR: "text",
    BOOLEAN: "boolean",
    BIGINT: "bigint",
    DOUBLE: "double precision",
    DATE: "date",
    TIMESTAMP: "timestamp with time zone"
  }
  if (type._tag === "DECIMAL") return `numeric(${type.precision},${type.scale})`
  const item = type._tag === "LIST" ? inPostgres(type.of.type) : "json"
  if (item !== "json" && !item.endsWith("[]")) return `${item}[]`
  return names[type._tag] ?? "json"
}

const inSqlite = (type: Type): string => {
  const names: Partial<Record<Type["_tag"], string>> = {
    VARCHAR: "TEXT",
    BIGINT: "INTEGER",
    DOUBLE: "REAL",
    BOOLEAN: "BOOLEAN",
    DATE: "DATE",
    TIMESTAMP: "TIMESTAMP"
  }
  return type._tag === "DECIMAL" ? `DECIMAL_TEXT(${type.precision},${type.scale})` : (names[type._tag] ?? "JSON_TEXT")
}

/** The tables that are there. */
export type Tables = ReadonlyMap<string, Found>

/** Reads tables of a sink; those that are not there are left out. */
export const read = async (at: At, ground: Ground, tables: ReadonlyArray<string>): Promise<Tables> => {
  const path = join(ground.folder, at.name)
  const each = async (one: (table: string) => Promise<Found | undefined>): Promise<Tables> => {
    const found = new Map<string, Found>()
    for (const table of tables) {
      const there = await one(table)
      if (there !== undefined) found.set(table, there)
    }
    return found
  }
  switch (at.kind) {
    case "memory":
      return each(async (table) => readMemory(`${ground.schema}_${at.name}`, table))
    case "duckdb": {
      if (!existsSync(`${path}.duckdb`)) return new Map()
      return withDuckdb(`${path}.duckdb`, (connection) => each((table) => readDuckdb(connection, `"${table}"`)))
    }
    case "lake": {
      const views = join(path, "read.sql")
      if (!existsSync(views)) return new Map()
      return withDuckdb(":memory:", async (connection) => {
        await connection.run(readFileSync(views, "utf8"))
        return each((table) => readDuckdb(connection, `"${table}"`))
      })
    }
    case "sqlite": {
      if (!existsSync(`${path}.sqlite`)) return new Map()
      const database = new DatabaseSync(`${path}.sqlite`, { readOnly: true, readBigInts: true })
      try {
        return await each(async (table) => readSqlite(database, table))
      } finally {
        database.close()
      }
    }
    case "postgres":
      return each((table) => readPostgres(ground.postgres ?? "", `${ground.schema}_${at.name}`, table))
    case "jsonl":
    case "csv":
    case "parquet":
      return each(async (table) => {
        const data = join(path, `${table}.${at.kind}`)
        if (!existsSync(data)) return undefined
        if (at.kind === "jsonl") return withTypes(path, table, { types: new Map(), rows: jsonLines(data) })
        if (at.kind === "csv") return withTypes(path, table, { types: new Map(), rows: csvRows(data) })
        const found = await readDuckdb(await inMemory(), `read_parquet('${data.replaceAll("'", "''")}')`)
        return found && withTypes(path, table, found)
      })
  }
}

/** Files say their types beside them. */
const withTypes = (path: string, table: string, found: Found): Found => {
  const manifest: Manifest = JSON.parse(readFileSync(join(path, "_millrace.json"), "utf8"))
  const columns = manifest.tables[table]?.columns ?? []
  return { ...found, types: new Map(columns.map(({ name, type }) => [name, spelled(type)])) }
}

interface Manifest {
  readonly tables: Readonly<Record<string, { readonly columns: ReadonlyArray<{ name: string; type: string }> }>>
}

const spelled = (sql: string): string => sql.replaceAll(", ", ",").replaceAll('"', "")

const withDuckdb = async <A>(path: string, use: (connection: DuckDBConnection) => Promise<A>): Promise<A> => {
  const instance = await DuckDBInstance.create(path, { threads: "1" })
  const connection = await instance.connect()
  try {
    return await use(connection)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

let memoryOnly: Promise<DuckDBConnection> | undefined
const inMemory = (): Promise<DuckDBConnection> => {
  memoryOnly ??= DuckDBInstance.create(":memory:", { threads: "1" }).then((instance) => instance.connect())
  return memoryOnly
}

const readDuckdb = async (connection: DuckDBConnection, from: string): Promise<Found | undefined> => {
  let described: ReadonlyArray<Record<string, unknown>>
  try {
    described = (await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${from}`)).getRowObjects()
  } catch (error) {
    if (/does not exist/.test(String(error))) return undefined
    throw error
  }
  const types = described.map((one) => [String(one["column_name"]), spelled(String(one["column_type"]))] as const)
  const rows = (await connection.runAndReadAll(`SELECT * FROM ${from}`)).getRows()
  const names = types.map(([name]) => name)
  return { types: new Map(types), rows: (columns) => rows.map((row) => textsOf(columns, names, row, ofDuckdb)) }
}

/** A row as texts of the model. */
const textsOf = (
  columns: ReadonlyArray<Named>,
  names: ReadonlyArray<string>,
  row: ReadonlyArray<unknown>,
  cellOf: (type: Type, value: unknown) => unknown
): ReadonlyMap<string, string> =>
  new Map(
    names.map((name, at) => {
      const type = typeOf(columns, name)
      return [name, shown(type, cellOf(type, row[at]))] as const
    })
  )

/** The type that a column should have; a column that should not be there is text. */
const typeOf = (columns: ReadonlyArray<Named>, name: string): Type =>
  columns.find((column) => column.name === name)?.type ?? { _tag: "VARCHAR" }

const ofDuckdb = (type: Type, value: unknown): unknown => {
  if (value === null || value === undefined) return null
  if (value instanceof DuckDBTimestampTZValue || value instanceof DuckDBTimestampValue) return value.micros
  if (value instanceof DuckDBDecimalValue) return value.toString()
  if (type._tag === "JSON") return typeof value === "string" ? asNumbers(parse(value)) : value
  if (type._tag === "LIST" && value instanceof DuckDBListValue) {
    return value.items.map((item) => ofDuckdb(type.of.type, item))
  }
  if (type._tag === "STRUCT" && value instanceof DuckDBStructValue) {
    const entries = new Map(Object.entries(value.entries))
    return type.fields.map((field) => ofDuckdb(field.type, entries.get(field.name)))
  }
  return type._tag === "DATE" ? String(value) : value
}

const readMemory = (database: string, table: string): Found | undefined => {
  const there = Database.read(database).tables.get(table)
  if (there === undefined) return undefined
  const names = there.columns.map(({ name }) => name)
  return {
    types: new Map(there.columns.map(({ name, type }) => [name, typeAt("memory", type)])),
    rows: (columns) =>
      there.rows.map((row) =>
        textsOf(
          columns,
          names,
          names.map((name) => row[name]),
          ofMemory
        )
      )
  }
}

/** A cell as the engine has it: whole numbers of a BIGINT are numbers or bigints, and structs are objects. */
const ofMemory = (type: Type, value: unknown): unknown => {
  if (value === null || value === undefined) return null
  if (type._tag === "BIGINT") return String(value)
  if (type._tag === "DECIMAL") return scaled(String(value), type.scale)
  if (type._tag === "LIST" && Array.isArray(value)) return value.map((item) => ofMemory(type.of.type, item))
  if (type._tag !== "STRUCT") return value
  return type.fields.map((field) =>
    ofMemory(field.type, Object.hasOwn(Object(value), field.name) ? Reflect.get(Object(value), field.name) : null)
  )
}

/** The memory sink has the digits of a decimal as they came. */
const scaled = (text: string, scale: number): string => {
  const [whole = "", fraction = ""] = text.split(".")
  return scale === 0 ? whole : `${whole}.${fraction.padEnd(scale, "0").slice(0, scale)}`
}

const readPostgres = async (url: string, schema: string, table: string): Promise<Found | undefined> => {
  const client = await connected(url)
  const described = await client.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
      WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [`"${schema}"."${table}"`]
  )
  const types = new Map(described.rows.map(({ name, type }) => [name, type]))
  if (types.size === 0) return undefined
  const cells = [...types].map(([name, type]) => {
    const quoted = `"${name.replaceAll('"', '""')}"`
    const micros = (moment: string) => `(extract(epoch from ${moment}) * 1000000)::bigint::text`
    if (type === "timestamp with time zone") return micros(quoted)
    if (type === "timestamp with time zone[]")
      return `CASE WHEN ${quoted} IS NOT NULL THEN ARRAY(SELECT ${micros("x")} FROM unnest(${quoted}) AS x) END`
    return type.endsWith("[]") ? `${quoted}::text[]` : `${quoted}::text`
  })
  const text = `SELECT ${cells.join(", ")} FROM "${schema}"."${table}"`
  const { rows } = await client.query<Array<unknown>>({ text, rowMode: "array" } as const)
  const names = [...types.keys()]
  return { types, rows: (columns) => rows.map((row) => textsOf(columns, names, row, ofText)) }
}

const readSqlite = (database: DatabaseSync, table: string): Found | undefined => {
  const described = database.prepare("SELECT name, type FROM pragma_table_info(?)").all(table)
  const types = new Map(described.map(({ name, type }) => [String(name), String(type)]))
  if (types.size === 0) return undefined
  const rows = database
    .prepare(`SELECT * FROM "${table}"`)
    .all()
    .map((row) => [...types.keys()].map((name) => row[name]))
  return { types, rows: (columns) => rows.map((row) => textsOf(columns, [...types.keys()], row, ofSqlite)) }
}

/** SQLite has no booleans, and no zero below zero. */
const ofSqlite = (type: Type, value: unknown): unknown => {
  if (type._tag === "BOOLEAN" && typeof value === "bigint") return value === 1n
  return type._tag === "DOUBLE" && typeof value === "number" ? value : ofText(type, value)
}

const clients = new Map<string, Promise<Client>>()
const connected = (url: string): Promise<Client> => {
  const there = clients.get(url)
  if (there !== undefined) return there
  const client = new Client({ connectionString: url })
  const made = client.connect().then(() => client)
  clients.set(url, made)
  return made
}

export const disconnect = async (): Promise<void> => {
  for (const client of clients.values()) await (await client).end()
  clients.clear()
  ;(await memoryOnly)?.closeSync()
  memoryOnly = undefined
}

/** A cell of a text, as CSV and Postgres have it. */
const ofText = (type: Type, value: unknown): unknown => {
  if (value === null || value === undefined) return null
  if (type._tag === "LIST" && Array.isArray(value)) return value.map((item) => ofText(type.of.type, item))
  if (typeof value !== "string") return value
  if (type._tag === "BOOLEAN") return value === "true" || value === "t"
  if (type._tag === "DOUBLE") return Number(value)
  if (type._tag === "TIMESTAMP") return /^-?\d+$/.test(value) ? value : microsOf(value)
  const isJson = type._tag === "JSON" || type._tag === "STRUCT" || type._tag === "LIST"
  return isJson ? ofJson(type, parse(value)) : value
}

/** JSON whose whole numbers keep all digits; a text that is none stays as it is, and is no cell of the model. */
const parse = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch {
    return { "no JSON": text }
  }
}

const parseJson = (text: string): unknown =>
  JSON.parse(text, (_, value: unknown, context?: { source?: string }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "")
      ? BigInt(context?.source ?? "")
      : value
  )

/** The numbers of a JSON column are those of JavaScript. */
const asNumbers = (value: unknown): unknown => {
  if (typeof value === "bigint") return Number(value)
  if (Array.isArray(value)) return value.map(asNumbers)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asNumbers(member)]))
}

const ofJson = (type: Type, value: unknown): unknown => {
  if (value === null || value === undefined) return null
  if (type._tag === "BIGINT") return String(value)
  if (type._tag === "DOUBLE") return Number(value)
  if (type._tag === "TIMESTAMP") return microsOf(String(value))
  if (type._tag === "LIST" && Array.isArray(value)) return value.map((item) => ofJson(type.of.type, item))
  if (type._tag === "JSON") return asNumbers(value)
  if (type._tag !== "STRUCT") return value
  return type.fields.map((field) =>
    ofJson(field.type, Object.hasOwn(Object(value), field.name) ? Reflect.get(Object(value), field.name) : null)
  )
}

const microsOf = (text: string): string => {
  const [, seconds, fraction = ""] = /^(.*:\d\d)(?:\.(\d+))?Z$/.exec(text) ?? []
  if (seconds === undefined) return text
  return String(BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(fraction.padEnd(6, "0")))
}

const jsonLines = (path: string): Found["rows"] => {
  const lines = readFileSync(path, "utf8").split("\n")
  const rows = lines.filter((line) => line !== "").map((line) => Object.entries(Object(parse(line))))
  return (columns) =>
    rows.map((row) =>
      textsOf(
        columns,
        row.map(([name]) => name),
        row.map(([, value]) => value),
        ofJson
      )
    )
}

/** CSV by RFC 4180; nothing between two delimiters is null, and "" is a text. */
const csvRows = (path: string): Found["rows"] => {
  const text = readFileSync(path, "utf8")
  const lines: Array<Array<string | null>> = [[]]
  const field = /("(?:[^"]|"")*"|[^,\n]*)(,|\n|$)/gy
  while (field.lastIndex < text.length) {
    const [, cell = "", end] = field.exec(text) ?? []
    lines.at(-1)?.push(cell === "" ? null : cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end === "\n" && field.lastIndex < text.length) lines.push([])
  }
  const [names = [], ...rows] = lines
  return (columns) =>
    rows.map((row) =>
      textsOf(
        columns,
        names.map((name) => name ?? ""),
        row,
        ofText
      )
    )
}
