/**
 * What replace leaves of the rows that were there before its run.
 *
 * The law: a row goes for a staged one of its key, the children of a row for those of the staged one, come or not. What the
 * run neither wrote nor kept goes only where the run was complete; the children of a row that stays, stay. In a shared table
 * all of this is of one's own rows.
 */
import * as Table from "../../src/pipeline/Table.ts"
import type { Stage } from "./Stage.ts"

export interface Circumstances {
  readonly complete: boolean
  readonly parent: Stage | undefined
  /** Whether a row is of this pipeline. */
  readonly isOurs: (row: Table.Row) => boolean
}

export const leave = (
  others: ReadonlyArray<Table.Row>,
  stage: Stage,
  { complete, parent, isOurs }: Circumstances
): ReadonlyArray<Table.Row> => {
  const { table } = stage
  const named = parent === undefined || table.parent === undefined ? undefined : table.parent.on
  // Rows without a name of their own or a parent's are taken for new ones.
  const by = named === undefined ? table.key : Object.keys(named)
  const theirs = named === undefined ? table.key : Object.values(named)
  const { staged, written, kept } = parent ?? stage
  const goes = new Set([...staged.map(({ row }) => Table.keyText(row, theirs)), ...namesOf(written, theirs)])
  const stays = namesOf(kept, theirs)
  return others.filter((row) => {
    if (!isOurs(row)) return true
    if (by.length === 0) return !complete
    const name = Table.keyText(row, by)
    return !goes.has(name) && (!complete || stays.has(name))
  })
}

const namesOf = (rows: Iterable<Table.Row>, columns: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set([...rows].map((row) => Table.keyText(row, columns)))
