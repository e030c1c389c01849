/**
 * What changed between two loads as an Arrow IPC stream: one row for each changed field of each row, with the kind of change,
 * the key of the row, the name of the field, and its old and new value as text.
 */
import type { Writable } from "node:stream"
import * as Stream from "effect/Stream"
import type * as Column from "#engine/Column"
import type * as Difference from "#engine/Difference"
import type * as Table from "#engine/Table"
import { asArrow } from "../answerArrow.ts"
import { textOf } from "./differenceText.ts"

export const differenceArrow = ({ changes }: Difference.Differences, { key }: Table.Table, out: Writable) => {
  const columns = ["_change", ...key, "_field", "_old", "_new"].map(
    (name): Column.Column => ({ name, type: { _tag: "VARCHAR" }, nullable: true })
  )
  return asArrow({ columns, rows: Stream.mapArray(changes, (some) => [some.flatMap((change) => rowsOf(change))]) }, out)
}

const rowsOf = ({ fields, key, kind, ...values }: Difference.Change): ReadonlyArray<Table.Row> => {
  const keys = Object.fromEntries(Object.entries(key).map(([name, value]) => [name, cell(value)]))
  const row = (field: string | null): Table.Row => ({
    ...keys,
    _change: kind,
    _field: field,
    _old: field === null ? null : cell(values.old[field]),
    _new: field === null ? null : cell(values.new[field])
  })
  // A change without known fields is still one row.
  return fields.length === 0 ? [row(null)] : fields.map(row)
}

const cell = (value: unknown): string | null => (value === null || value === undefined ? null : textOf(value))
