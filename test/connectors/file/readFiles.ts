/** A reader of the files that believes nothing but them: DuckDB, and for Arrow its library. It is told the types of the columns. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Arrow from "apache-arrow"
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"
import * as Cell from "#engine/DuckdbCell"
import type * as Table from "#engine/Table"

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
    const isText = type._tag === "VARCHAR"
    const text = isNested ? `${Column.quote(name)}::JSON` : isText ? withoutMark(name) : Column.quote(name)
    return `${text}::${Column.toSql(type)} AS ${Column.quote(name)}`
  })
  return `SELECT ${cells.join(", ")} FROM ${source}`
})

/** The text of a formula without the apostrophe that spreadsheets want before it. */
const withoutMark = (name: string): string =>
  `regexp_replace(${Column.quote(name)}, ${Database.literal(String.raw`^'('*[\p{Cf}\p{Z}]*[\p{Cc}=+@＝＋－＠-])`)}, ${Database.literal(String.raw`\1`)})`

const headerOf = (text: string): ReadonlyArray<string> => (text.split("\n")[0] ?? "").split(",")

const readArrow = (path: string, table: Table.Table) =>
  Effect.sync(() => {
    const rows: Array<Table.Row> = []
    for (const batch of Arrow.tableFromIPC(readFileSync(path)).batches) {
      for (let at = 0; at < batch.numRows; at++) {
        const cells = table.columns.map(({ name, type }) => {
          const data = batch.getChild(name)?.data[0]
          return [name, data === undefined ? null : arrowCell(type, data, at)] as const
        })
        rows.push(Object.fromEntries(cells))
      }
    }
    return rows
  })

/** Times and decimals are read from their bytes, also in lists and structs: the numbers of JavaScript do not hold all of them. */
const arrowCell = (type: Column.ColumnType, data: Arrow.Data, at: number): unknown => {
  if (!data.getValid(at)) return null
  const { children, typeId, valueOffsets, values } = data
  const is = (...ids: ReadonlyArray<Arrow.Type>) => ids.includes(typeId)
  if (is(Arrow.Type.Timestamp, Arrow.Type.TimestampMicrosecond)) return values[at]
  if (is(Arrow.Type.Date, Arrow.Type.DateDay)) {
    return new Date(Number(values[at]) * 86_400_000).toISOString().slice(0, 10)
  }
  if (is(Arrow.Type.Decimal)) {
    if (type._tag !== "DECIMAL") throw new Error(`a ${type._tag} is a decimal in the file`)
    const unscaled = new DataView(values.buffer, values.byteOffset + at * 16).getBigInt64(0, true)
    const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(type.scale + 1, "0")
    return `${unscaled < 0n ? "-" : ""}${digits.slice(0, -type.scale)}.${digits.slice(-type.scale)}`
  }
  if (is(Arrow.Type.List)) {
    const [items, of] = [children[0], type._tag === "LIST" ? type.of.type : undefined]
    if (items === undefined || of === undefined) throw new Error(`a ${type._tag} is a list in the file`)
    const [from = 0, to = 0] = [valueOffsets[at], valueOffsets[at + 1]]
    return Array.from({ length: to - from }, (_, place) => arrowCell(of, items, from + place))
  }
  if (is(Arrow.Type.Struct)) {
    if (type._tag !== "STRUCT") throw new Error(`a ${type._tag} is a struct in the file`)
    const cells = type.fields.map((field, place) => {
      const member = children[place]
      return [field.name, member === undefined ? null : arrowCell(field.type, member, at)] as const
    })
    return Object.fromEntries(cells)
  }
  const value: unknown = new Arrow.Vector([data]).get(at)
  return type._tag === "JSON" ? JSON.parse(String(value)) : value
}
