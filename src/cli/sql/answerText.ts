/** An answer as text: a table for people, CSV, or one JSON object a line. */
import { once } from "node:events"
import type { Writable } from "node:stream"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as Column from "../../pipeline/Column.ts"
import type { Answer } from "../../pipeline/Queries.ts"
import type * as Table from "../../pipeline/Table.ts"
import { jsonLine, textTable } from "../printable.ts"
import { count, iso } from "../summary.ts"

/** Waits where the reader is slower. */
export const write = (out: Writable, data: string | Uint8Array) =>
  Effect.promise(async () => {
    if (!out.write(data)) await once(out, "drain")
  })

export const asTable = Effect.fnUntraced(function* ({ columns, rows }: Answer, out: Writable) {
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
  const more = all > mostRows ? ` (the first ${mostRows} are shown: --format csv has all)` : ""
  yield* write(out, `${count(all)} ${all === 1 ? "row" : "rows"}${more}\n`)
})

const mostRows = 200
const mostCharacters = 80
const short = (text: string): string => (text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text)

export const asCsv = Effect.fnUntraced(function* ({ columns, rows }: Answer, out: Writable) {
  yield* write(out, `${columns.map(({ name }) => quoted(name)).join(",")}\n`)
  yield* Stream.runForEach(rows, (some) =>
    write(out, some.map((row) => `${columns.map((column) => csvCell(column, row[column.name])).join(",")}\n`).join(""))
  )
})

/** Null is an empty cell, and an empty text is a quoted one. */
const csvCell = (column: Column.Column, cell: unknown): string =>
  cell === null || cell === undefined ? "" : quoted(textOf(column, cell))

const quoted = (text: string): string =>
  text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

export const asJson = ({ columns, rows }: Answer, out: Writable) =>
  Stream.runForEach(rows, (some) =>
    write(
      out,
      some
        .map((row) => jsonLine(Object.fromEntries(columns.map(({ name, type }) => [name, jsonOf(type, row[name])]))))
        .join("")
    )
  )

const textOf = ({ type }: Column.Column, cell: unknown): string => {
  const value = jsonOf(type, cell)
  return value === null ? "" : typeof value === "string" ? value : JSON.stringify(value)
}

/** A cell as JSON has it: times as ISO texts, whole numbers as numbers where JSON can hold them, otherwise as texts. */
export const jsonOf = (type: Column.ColumnType, cell: unknown): unknown => {
  if (cell === null || cell === undefined) return null
  switch (type._tag) {
    case "TIMESTAMP":
      return typeof cell === "bigint" ? iso(cell) : cell
    case "BIGINT":
      return Number.isSafeInteger(Number(cell)) ? Number(cell) : String(cell)
    case "DECIMAL": {
      const number = Number(cell)
      return String(number) ===
        String(cell)
          .replace(/(\.\d*?)0+$/, "$1")
          .replace(/\.$/, "")
        ? number
        : String(cell)
    }
    case "LIST":
      return Array.isArray(cell) ? cell.map((one) => jsonOf(type.of.type, one)) : cell
    case "STRUCT":
      return typeof cell === "object"
        ? Object.fromEntries(
            type.fields.map((field) => [field.name, jsonOf(field.type, Reflect.get(cell, field.name))])
          )
        : cell
    case "BOOLEAN":
    case "DATE":
    case "DOUBLE":
    case "JSON":
    case "VARCHAR":
      return cell
  }
}
