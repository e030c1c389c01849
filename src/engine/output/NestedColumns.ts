/**
 * How nested columns are stored, as `table: { nested: ... }` says.
 *
 * - `struct`: they stay as they are.
 * - `json`: LIST and STRUCT columns become JSON columns (`CellJson`).
 * - `tables`: every LIST becomes a table of its own, `<table>__<column>` (`childTables`).
 *
 * The tables are known before the first row. Rows are split chunk by chunk: the same rows give the same batches, and no row
 * is lost.
 */
import * as CellJson from "../CellJson.ts"
import type { Column } from "../Column.ts"
import * as Table from "../Table.ts"
import { childTables, type NestedColumns } from "./childTables.ts"

type Mode = "tables" | "struct" | "json"

export type { From, NestedColumns } from "./childTables.ts"

/** `isHistory`: whether a sink keeps a history of the table. */
export const forMode = (mode: Mode, table: Table.Table, isHistory = false): NestedColumns => {
  switch (mode) {
    case "struct":
      return plain(table, (rows) => rows)
    case "json":
      return inJson(table)
    case "tables":
      return childTables(table, isHistory)
  }
}

const plain = (
  table: Table.Table,
  convert: (rows: ReadonlyArray<Table.Row>) => ReadonlyArray<Table.Row>
): NestedColumns => ({
  tables: [table],
  digests: new Map(),
  split: (rows) => Table.batches(table, convert(rows))
})

const inJson = (table: Table.Table): NestedColumns => {
  const nested = table.columns.filter(isNested).map(({ name, type }) => [name, CellJson.ofCell(type)] as const)
  if (nested.length === 0) return plain(table, (rows) => rows)
  const columns = table.columns.map(
    (column): Column => (isNested(column) ? { ...column, type: { _tag: "JSON" } } : column)
  )
  return plain({ ...table, columns }, (rows) =>
    rows.map((row) => {
      const cells: Record<string, unknown> = { ...row }
      for (const [name, convert] of nested) cells[name] = convert(row[name])
      return cells
    })
  )
}

const isNested = ({ type }: Column): boolean => type._tag === "LIST" || type._tag === "STRUCT"
