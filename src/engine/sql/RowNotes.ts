/**
 * The steps that note which rows a commit removes from a table and which it adds, for the record of their hashes (`RowHashes.ts`). They stand
 * before the statements that do it, with the same conditions.
 */
import * as Column from "../Column.ts"
import type { HashedCell } from "../SqlDialect.ts"
import { add, cellOf, hashedOf } from "./RowHashes.ts"
import { type StagedTable, staged } from "./StagedTable.ts"
import type { Steps } from "./Step.ts"

/** Notes stored rows `t` that are removed. `from`: the table, and which of its rows. */
export const removed = (table: StagedTable, where: string): Steps =>
  note(table, "removed", {
    from: `${table.target} AS t WHERE ${where}`,
    run: "t._run_id",
    cells: (table.changes?.columns ?? []).map((column) => cellOf("t", column))
  })

/**
 * Notes staged rows `s` that are inserted. `some`: which, as after FROM; `run`: the run that they get, if it may be another;
 * `isAsStaged`: whether their cells are stored as they are staged.
 */
export const added = (table: StagedTable, some: string, run?: string, isAsStaged = true): Steps =>
  note(table, "added", {
    from: `${staged(table)} AS s ${some}`,
    run,
    cells: isAsStaged ? hashedOf(table.columns).map(writtenAs("s")) : undefined
  })

const writtenAs =
  (of: string) =>
  ({ name, to }: StagedTable["columns"][number]): HashedCell =>
    cellOf(of, { name, type: to })

/** Notes stored rows `t` as they are after an UPDATE that sets `values`. `from`: these rows, with those that they get values from. */
export const updated = (
  table: StagedTable,
  values: ReadonlyArray<readonly [column: string, value: string]>,
  from: string
): Steps => {
  const set = new Map(values)
  const cells = (table.changes?.columns ?? []).map((column) => {
    const cell = cellOf("t", column)
    return { ...cell, value: set.get(Column.quote(column.name)) ?? cell.value }
  })
  return note(table, "added", { from, run: set.get(`"_run_id"`) ?? "t._run_id", cells })
}

/** Notes the stored rows `t` after the `last` of those that were there before. */
export const appended = (table: StagedTable, last: bigint): Steps =>
  note(table, "added", {
    from: `${table.target} AS t WHERE t.${table.rowId} > ${last}`,
    run: undefined,
    cells: hashedOf(table.columns).map(writtenAs("t"))
  })

const note = (
  { changes, spelling }: StagedTable,
  how: "removed" | "added",
  {
    cells,
    from,
    run
  }: { readonly cells: ReadonlyArray<HashedCell> | undefined; readonly from: string; readonly run: string | undefined }
): Steps => {
  if (changes === undefined || spelling.rowsHash === undefined) return []
  const isKnown = cells !== undefined && (how === "removed" || !changes.isUntold)
  const hash = isKnown ? spelling.rowsHash(cells) : "NULL"
  const [name, group] = run === undefined ? [spelling.literal(changes.runId), ""] : [run, ` GROUP BY ${run}`]
  return [
    {
      _tag: "Note",
      sql: `SELECT ${name}, count(*), ${hash} FROM ${from}${group}`,
      use: (rows) => add(changes, how, rows)
    }
  ]
}
