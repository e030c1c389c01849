/** What rows say, as text: two of which the texts are equal say the same. */
import * as Predicate from "effect/Predicate"
import type * as Column from "../../src/pipeline/Column.ts"
import type { Compared } from "../../src/pipeline/comparedColumns.ts"
import type * as Table from "../../src/pipeline/Table.ts"

/** What a row says in some columns. A field that is absent is null, and 1 and 1n are the same BIGINT. */
export const rowText = (row: Table.Row, compared: ReadonlyArray<Compared>): string =>
  JSON.stringify(compared.map(({ column: { name, type }, except }) => plain(type, without(except, row[name]))))

/** A JSON object without some of its members. */
const without = (except: ReadonlyArray<string>, cell: unknown): unknown =>
  except.length > 0 && Predicate.isObject(cell)
    ? Object.fromEntries(Object.entries(cell).filter(([name]) => !except.includes(name)))
    : cell

const plain = (type: Column.ColumnType, cell: unknown): unknown => {
  if (cell === null || cell === undefined) return null
  if (type._tag === "LIST") return Array.isArray(cell) ? cell.map((item) => plain(type.of.type, item)) : cell
  if (type._tag === "STRUCT" && typeof cell === "object") {
    return type.fields.map((field) => plain(field.type, Reflect.get(cell, field.name)))
  }
  return type._tag === "BIGINT" || type._tag === "TIMESTAMP" ? String(cell) : cell
}
