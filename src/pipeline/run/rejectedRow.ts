/**
 * A row again, from the JSON that the table of rejects kept of it.
 *
 * Whole numbers and points in time are bigints in a row, and numbers or (if they are long) text in its JSON. A value
 * that cannot be converted back stays as it is: it does not fit, and is rejected again with its reason.
 */
import * as Predicate from "effect/Predicate"
import type { ColumnType } from "../Column.ts"
import type * as Table from "../Table.ts"

export const rejectedRow = ({ columns }: Table.Table, raw: unknown): Table.Row => {
  if (!Predicate.isObject(raw)) return { raw }
  const types = new Map(columns.map(({ name, type }) => [name, type]))
  return Object.fromEntries(Object.entries(raw).map(([name, cell]) => [name, cellOf(types.get(name), cell)]))
}

const cellOf = (type: ColumnType | undefined, cell: unknown): unknown => {
  switch (type?._tag) {
    case undefined:
    case "BOOLEAN":
    case "DATE":
    case "DECIMAL":
    case "JSON":
    case "VARCHAR":
      return cell
    case "BIGINT":
    case "TIMESTAMP": {
      const isWhole = typeof cell === "string" ? /^-?\d+$/.test(cell) : Number.isSafeInteger(cell)
      return isWhole ? BigInt(String(cell)) : cell
    }
    case "DOUBLE":
      return cell === "NaN" || cell === "Infinity" || cell === "-Infinity" ? Number(cell) : cell
    case "LIST":
      return Array.isArray(cell) ? cell.map((item) => cellOf(type.of.type, item)) : cell
    case "STRUCT":
      return Predicate.isObject(cell)
        ? Object.fromEntries(
            Object.entries(cell).map(([name, item]) => [
              name,
              cellOf(type.fields.find((field) => field.name === name)?.type, item)
            ])
          )
        : cell
  }
}
