/** The result of a query as text: a table for people, CSV, or one JSON object per line. */
import { once } from "node:events"
import type { Writable } from "node:stream"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as CellJson from "#engine/CellJson"
import type * as Column from "#engine/Column"
import type { QueryResult } from "#engine/Queries"
import type * as Table from "#engine/Table"
import { jsonLine, textTable } from "../printable.ts"
import { count } from "../summary.ts"
import { csvField, type Formulas } from "./csvField.ts"

/** Writes, and waits until a slow reader has caught up. */
export const write = (out: Writable, data: string | Uint8Array) =>
  Effect.promise(async () => {
    if (!out.write(data)) await once(out, "drain")
  })

export const asTable = Effect.fnUntraced(function* ({ columns, rows }: QueryResult, out: Writable) {
  const shown: Array<Table.Row> = []
  let all = 0
  yield* Stream.runForEach(rows, (some) =>
    Effect.sync(() => {
      all += some.length
      shown.push(...some.slice(0, Math.max(0, mostRows - shown.length)))
    })
  )
  const cells = shown.map((row) => columns.map((column) => short(textOf(column, row[column.name]))))
  yield* write(out, textTable([columns.map(({ name }) => name), ...cells]))
  const more = all > mostRows ? ` (only the first ${mostRows} are shown: --format csv prints all)` : ""
  yield* write(out, `${count(all)} ${all === 1 ? "row" : "rows"}${more}\n`)
})

const mostRows = 200
const mostCharacters = 80
const short = (text: string): string => (text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text)

export const asCsv = Effect.fnUntraced(function* (
  { columns, rows }: QueryResult,
  out: Writable,
  formulas: Formulas = "text"
) {
  const textOfRow = (row: Table.Row): string =>
    `${columns.map((column) => csvCell(column, row[column.name], formulas)).join(",")}\n`
  yield* write(out, `${columns.map(({ name }) => csvField(name, true, formulas)).join(",")}\n`)
  yield* Stream.runForEach(rows, (some) => write(out, some.map(textOfRow).join("")))
})

/** Null is an empty cell. */
const csvCell = (column: Column.Column, cell: unknown, formulas: Formulas): string => {
  const isText = column.type._tag === "VARCHAR" || column.type._tag === "JSON"
  return cell === null || cell === undefined ? "" : csvField(textOf(column, cell), isText, formulas)
}

export const asJson = ({ columns, rows }: QueryResult, out: Writable) => {
  const cells = columns.map(({ name, type }) => [name, jsonOf(type)] as const)
  const line = (row: Table.Row) =>
    jsonLine(Object.fromEntries(cells.map(([name, convert]) => [name, convert(row[name])])))
  return Stream.runForEach(rows, (some) => write(out, some.map(line).join("")))
}

const textOf = ({ type }: Column.Column, cell: unknown): string => {
  const value = jsonOf(type)(cell)
  return value === null ? "" : typeof value === "string" ? value : JSON.stringify(value)
}

/** The JSON value of a cell. Whole decimals of DuckDB, such as sums, are numbers if JSON can represent them exactly. */
export const jsonOf = (type: Column.ColumnType): ((cell: unknown) => unknown) => {
  const convert = CellJson.ofCell(type)
  if (type._tag !== "DECIMAL" || type.scale > 0) return convert
  return (cell) => (typeof cell === "string" && Number.isSafeInteger(Number(cell)) ? Number(cell) : convert(cell))
}
