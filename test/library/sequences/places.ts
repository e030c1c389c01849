/**
 * The sinks of a sequence, and what other programs than ours find in them: the DuckDB driver, `pg`, and the text of files.
 *
 * A cell is read by the type that its column should have, and made the text of the model; the types are compared by themselves.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
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
import type { Spec } from "../../../src/index.ts"
import type { Place } from "./Model.ts"
import { type Named, shown, sqlOf, type Type } from "./values.ts"

export const kinds = ["memory", "duckdb", "lake", "jsonl", "csv", "parquet", "postgres"] as const
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
    case "postgres":
      return postgres.with({ url: Redacted.make(url ?? ""), schema: `${schema}_${name}`, ...how })
    case "jsonl":
    case "csv":
    case "parquet":
      return file.with({ path, format: kind, write })
  }
}

/** A table as another program finds it: the types of its columns in the words of its destination, and cells as texts. */
export interface Found {
  readonly types: ReadonlyMap<string, string>
  readonly rows: ReadonlyArray<ReadonlyMap<string, string>>
}

/** What a type is called in a destination. */
export const typeAt = (kind: Kind, type: Type): string => {
  if (kind === "postgres") return inPostgres(type)
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

/** Reads a table; undefined: there is none. */
export const read = async (
  at: At,
  ground: Ground,
  table: string,
  columns: ReadonlyArray<Named>
): Promise<Found | undefined> => {
  const path = join(ground.folder, at.name)
  const quoted = `"${table}"`
  switch (at.kind) {
    case "memory":
      return readMemory(`${ground.schema}_${at.name}`, table, columns)
    case "duckdb":
      if (!existsSync(`${path}.duckdb`)) return undefined
      return withDuckdb(`${path}.duckdb`, (connection) => readDuckdb(connection, quoted, columns))
    case "lake": {
      const views = join(path, "read.sql")
      if (!existsSync(views)) return undefined
      return withDuckdb(":memory:", async (connection) => {
        await connection.run(readFileSync(views, "utf8"))
        return readDuckdb(connection, quoted, columns)
      })
    }
    case "postgres":
      return readPostgres(ground.postgres ?? "", `${ground.schema}_${at.name}`, table, columns)
    case "jsonl":
    case "csv":
    case "parquet": {
      const data = join(path, `${table}.${at.kind}`)
      if (!existsSync(data)) return undefined
      if (at.kind === "parquet") {
        const from = `read_parquet('${data.replaceAll("'", "''")}')`
        return withTypes(path, table, await withDuckdb(":memory:", (one) => readDuckdb(one, from, columns)))
      }
      const rows = at.kind === "jsonl" ? jsonLines(data, columns) : csvRows(data, columns)
      return withTypes(path, table, { types: new Map(), rows })
    }
  }
}

/** Files say their types beside them. */
const withTypes = (path: string, table: string, found: Found | undefined): Found | undefined => {
  const manifest: Manifest = JSON.parse(readFileSync(join(path, "_millrace.json"), "utf8"))
  const columns = manifest.tables[table]?.columns ?? []
  return found && { ...found, types: new Map(columns.map(({ name, type }) => [name, spelled(type)])) }
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

const readDuckdb = async (
  connection: DuckDBConnection,
  from: string,
  columns: ReadonlyArray<Named>
): Promise<Found | undefined> => {
  let described: ReadonlyArray<Record<string, unknown>>
  try {
    described = (await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${from}`)).getRowObjects()
  } catch (error) {
    if (/does not exist/.test(String(error))) return undefined
    throw error
  }
  const types = described.map((one) => [String(one["column_name"]), spelled(String(one["column_type"]))] as const)
  const names = types.map(([name]) => name)
  const read = await connection.runAndReadAll(`SELECT * FROM ${from}`)
  const rows = read.getRows().map(
    (row) =>
      new Map(
        names.map((name, at) => {
          const type = typeOf(columns, name)
          return [name, shown(type, ofDuckdb(type, row[at]))] as const
        })
      )
  )
  return { types: new Map(types), rows }
}

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

const readMemory = (name: string, table: string, columns: ReadonlyArray<Named>): Found | undefined => {
  const there = Database.read(name).tables.get(table)
  return (
    there && {
      types: new Map(there.columns.map((column) => [column.name, typeAt("memory", column.type)])),
      rows: there.rows.map(
        (row) =>
          new Map(
            there.columns.map((column) => {
              const type = typeOf(columns, column.name)
              return [column.name, shown(type, ofMemory(type, row[column.name]))] as const
            })
          )
      )
    }
  )
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

const readPostgres = async (
  url: string,
  schema: string,
  table: string,
  columns: ReadonlyArray<Named>
): Promise<Found | undefined> => {
  const client = await connected(url)
  const described = await client.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
      WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [`"${schema}"."${table.replaceAll('"', '""')}"`]
  )
  const names = described.rows
  if (names.length === 0) return undefined
  const cells = names.map(({ name, type }) => {
    const quoted = `"${name.replaceAll('"', '""')}"`
    if (type === "timestamp with time zone") return `(extract(epoch from ${quoted}) * 1000000)::bigint::text`
    if (type === "timestamp with time zone[]")
      return `CASE WHEN ${quoted} IS NOT NULL THEN ARRAY(SELECT (extract(epoch from x) * 1000000)::bigint::text FROM unnest(${quoted}) AS x) END`
    return type.endsWith("[]") ? `${quoted}::text[]` : `${quoted}::text`
  })
  const read = await client.query<Array<unknown>>({
    text: `SELECT ${cells.join(", ")} FROM "${schema}"."${table}"`,
    rowMode: "array"
  } as const)
  return {
    types: new Map(names.map(({ name, type }) => [name, type])),
    rows: read.rows.map(
      (row) =>
        new Map(
          names.map(({ name, type: sql }, at) => {
            const type = typeOf(columns, name)
            const value = row[at]
            const isJson = sql === "json" && typeof value === "string"
            return [name, shown(type, isJson ? ofJson(type, parse(value)) : ofText(type, value))] as const
          })
        )
    )
  }
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

const jsonLines = (path: string, columns: ReadonlyArray<Named>): Found["rows"] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const row: unknown = parse(line)
      return new Map(
        Object.entries(Object(row)).map(([name, value]) => {
          const type = typeOf(columns, name)
          return [name, shown(type, ofJson(type, value))] as const
        })
      )
    })

/** CSV by RFC 4180; nothing between two delimiters is null, and "" is a text. */
const csvRows = (path: string, columns: ReadonlyArray<Named>): Found["rows"] => {
  const text = readFileSync(path, "utf8")
  const lines: Array<Array<string | null>> = [[]]
  const field = /("(?:[^"]|"")*"|[^,\n]*)(,|\n|$)/gy
  while (field.lastIndex < text.length) {
    const [, cell = "", end] = field.exec(text) ?? []
    lines.at(-1)?.push(cell === "" ? null : cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end === "\n" && field.lastIndex < text.length) lines.push([])
  }
  const [names = [], ...rows] = lines
  return rows.map(
    (row) =>
      new Map(
        names.map((name, at) => {
          const type = typeOf(columns, name ?? "")
          return [name ?? "", shown(type, ofText(type, row[at]))] as const
        })
      )
  )
}
