/**
 * The columns of child tables that refer to a row of the main table: its key, and the system columns that they copy.
 */
import type { Column } from "../Column.ts"
import * as ColumnName from "../ColumnName.ts"
import type * as Table from "../Table.ts"

export interface Link {
  readonly columns: ReadonlyArray<Column>
  /** Those of them that hold the key of the main table. */
  readonly key: ReadonlyArray<string>
  readonly parent: Table.Parent
  readonly cellsOf: (row: Table.Row) => Table.Row
  readonly system: ReadonlyArray<Column>
  readonly systemOf: (row: Table.Row) => Table.Row
}

const systemNames: ReadonlySet<string> = new Set(["_run_id", "_fetched_at", "_source_url", "_job_id"])

/** If the main table itself has a parent, its children refer to that parent, because merging the parent replaces them all. */
export const linkOf = ({ name, key, columns, parent }: Table.Table): Link => {
  const belongs = Object.keys(parent?.on ?? {})
  const linked = columns.filter((column) => key.includes(column.name) || belongs.includes(column.name))
  const names = ColumnName.distinct(linked.map((column) => `_parent_${column.name.replace(/^_+/, "")}`))
  const pairs = linked.map((column, at) => [column.name, names[at] ?? column.name] as const)
  const system = columns.filter((column) => systemNames.has(column.name))
  const on = pairs
    .filter(([ours]) => (parent === undefined ? key : belongs).includes(ours))
    .map(([ours, theirs]) => [theirs, parent?.on[ours] ?? ours] as const)
  return {
    columns: linked.map((column, at) => ({
      ...column,
      name: names[at] ?? column.name,
      description: `${column.name} of the row of ${name} that the item belongs to`
    })),
    key: pairs.filter(([ours]) => key.includes(ours)).map(([, theirs]) => theirs),
    parent: { table: parent?.table ?? name, on: Object.fromEntries(on) },
    cellsOf: (row) => Object.fromEntries(pairs.map(([ours, theirs]) => [theirs, row[ours]])),
    system,
    systemOf: (row) => Object.fromEntries(system.map((column) => [column.name, row[column.name] ?? null]))
  }
}
