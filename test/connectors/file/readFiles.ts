/** A reader of the files that believes nothing but them: DuckDB, and for Arrow its library. It is told the types of the columns. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Arrow from "apache-arrow"
import * as Effect from "effect/Effect"
import * as Cell from "../../../src/duckdb/Cell.ts"
import * as Database from "../../../src/duckdb/Database.ts"
import * as Column from "../../../src/pipeline/Column.ts"
import type * as Table from "../../../src/pipeline/Table.ts"

export const readFiles = (directory: string, table: Table.Table) => {
  const folder = join(directory, "out")
  const file = existsSync(folder) ? readdirSync(folder).find((name) => name.startsWith(`${table.name}.`)) : undefined
  if (file === undefined) return Effect.succeed([])
  const path = join(folder, file)
  return file.endsWith(".arrow") ? readArrow(path, table) : readWithDuckDb(path, table)
}

const readWithDuckDb = (path: string, table: Table.Table) =>
  Effect.scoped(
    Effect.gen(function* () {
      const database = yield* Database.open({ threads: 1, memory: "256MB", spill: `${path}.spill` })
      const cells = table.columns.map(Cell.selected).join(", ")
      return yield* database.query(`SELECT ${cells} FROM (${yield* selectFrom(database, path, table)})`, table.columns)
    })
  )

const selectFrom = Effect.fnUntraced(function* (database: Database.Database, path: string, table: Table.Table) {
  const file = Database.literal(path)
  const known = new Map(table.columns.map(({ name, type }) => [name, Column.toSql(type)]))
  if (path.endsWith(".parquet")) {
    const json = table.columns.filter(({ type }) => Column.toSql(type).includes("JSON"))
    const replaced = json.map(
      ({ name, type }) => `${Column.quote(name)}::${Column.toSql(type)} AS ${Column.quote(name)}`
    )
    return `SELECT ${replaced.length === 0 ? "*" : `* REPLACE (${replaced.join(", ")})`} FROM read_parquet(${file})`
  }
  if (path.endsWith(".jsonl")) {
    const columns = [...known].map(([name, type]) => `${Database.literal(name)}: ${Database.literal(type)}`).join(", ")
    return `SELECT * FROM read_json(${file}, format = 'newline_delimited', maximum_object_size = 100000000, columns = {${columns}})`
  }
  // The names are in the header; a null is nothing, and an empty text is "".
  const csv = `read_csv(${file}, header = true, all_varchar = true, auto_detect = false, delim = ',', quote = '"', escape = '"', new_line = '\\n', nullstr = '', allow_quoted_nulls = false, columns = {COLUMNS})`
  const names = yield* Effect.sync(() => headerOf(readFileSync(path, "utf8")))
  const source = csv.replace("COLUMNS", names.map((name) => `${Database.literal(name)}: 'VARCHAR'`).join(", "))
  const cells = table.columns.map(({ name, type }) => {
    const isNested = type._tag === "LIST" || type._tag === "STRUCT"
    const text = isNested ? `${Column.quote(name)}::JSON` : Column.quote(name)
    return `${text}::${Column.toSql(type)} AS ${Column.quote(name)}`
  })
  return `SELECT ${cells.join(", ")} FROM ${source}`
})

const headerOf = (text: string): ReadonlyArray<string> => (text.split("\n")[0] ?? "").split(",")

const readArrow = (path: string, table: Table.Table) =>
  Effect.sync(() => {
    const found = Arrow.tableFromIPC(readFileSync(path))
    return Array.from({ length: found.numRows }, (_, at): Table.Row => {
      const row = found.get(at)
      return Object.fromEntries(
        table.columns.map(({ name, type }) => [name, arrowCell(type, found, name, at, row?.[name])])
      )
    })
  })

/** Times and decimals are read from their bytes: the numbers of JavaScript do not hold all of them. */
const arrowCell = (type: Column.ColumnType, found: Arrow.Table, name: string, at: number, value: unknown): unknown => {
  if (value === null || value === undefined) return null
  const flat = () => {
    let from = at
    for (const data of found.getChild(name)?.data ?? []) {
      if (from < data.length) return { values: data.values, from }
      from -= data.length
    }
    throw new Error(`there is no row ${at}`)
  }
  if (type._tag === "TIMESTAMP") {
    const { from, values } = flat()
    return values[from]
  }
  if (type._tag === "DATE") {
    const { from, values } = flat()
    return new Date(Number(values[from]) * 86_400_000).toISOString().slice(0, 10)
  }
  if (type._tag === "DECIMAL") {
    const { from, values } = flat()
    const unscaled = new DataView(values.buffer, values.byteOffset + from * 16).getBigInt64(0, true)
    const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(type.scale + 1, "0")
    return `${unscaled < 0n ? "-" : ""}${digits.slice(0, -type.scale)}.${digits.slice(-type.scale)}`
  }
  return innerCell(type, value)
}

const innerCell = (type: Column.ColumnType, value: unknown): unknown => {
  if (value === null || value === undefined) return null
  if (type._tag === "JSON") return JSON.parse(String(value))
  if (type._tag === "TIMESTAMP") return microsOf(String(value))
  if (type._tag === "LIST" && value instanceof Arrow.Vector) {
    return Array.from(value, (item) => innerCell(type.of.type, item))
  }
  if (type._tag === "STRUCT" && typeof value === "object") {
    return Object.fromEntries(
      type.fields.map((field) => [field.name, innerCell(field.type, Reflect.get(value, field.name))])
    )
  }
  return value
}

/** "2026-11-21T04:23:05.250999Z" as microseconds, by the calendar of JavaScript. */
const microsOf = (text: string): bigint => {
  const [, seconds = "", fraction = ""] = /^(.*?)(?:\.(\d+))?Z$/.exec(text) ?? []
  return BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(fraction.padEnd(6, "0"))
}
