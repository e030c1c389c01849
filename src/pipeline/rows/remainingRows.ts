/**
 * What replace leaves of the rows that were there before its run.
 *
 * A row goes for a staged one of its key, the children of a row for those of the staged one, come or not. What the run neither
 * wrote nor was told to retain goes only where the run was complete; the children of a row that stays, stay.
 */
import * as Table from "../Table.ts"
import type { RowStage } from "./RowTable.ts"

/** `others`: the rows of this pipeline that other runs wrote. `parent`: the stage of the table that it belongs to. */
export const remainingRows = (
  others: ReadonlyArray<Table.Row>,
  stage: RowStage,
  parent: RowStage | undefined,
  isComplete: boolean
): ReadonlyArray<Table.Row> => {
  const on = parent === undefined ? undefined : stage.table.parent?.on
  // Rows without a key of their own or a parent's are taken for new ones.
  const [ours, theirs] = on === undefined ? [stage.table.key, stage.table.key] : [Object.keys(on), Object.values(on)]
  if (ours.length === 0) return isComplete ? [] : others
  const { retained, staged, written } = on === undefined || parent === undefined ? stage : parent
  const keyOf = (row: Table.Row) => Table.keyText(row, theirs)
  const goes = new Set([...staged.map(({ row }) => row), ...written].map(keyOf))
  const stays = new Set(retained.map(keyOf))
  return others.filter((row) => {
    const key = Table.keyText(row, ours)
    return !goes.has(key) && (!isComplete || stays.has(key))
  })
}
