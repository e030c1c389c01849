/**
 * What changed between two loads as a stream of Arrow IPC: a row for each field of each row that changed, with the kind of the
 * change, the key of the row, the name of the field, and both of its values as text.
 */
import type { Writable } from "node:stream"
import * as Stream from "effect/Stream"
import type * as Column from "../../pipeline/Column.ts"
import type * as Difference from "../../pipeline/Difference.ts"
import type * as Table from "../../pipeline/Table.ts"
import { asArrow } from "../sql/answerArrow.ts"
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
  // A row of which nothing more is known is a row all the same.
  return fields.length === 0 ? [row(null)] : fields.map(row)
}

const cell = (value: unknown): string | null => (value === null || value === undefined ? null : textOf(value))
