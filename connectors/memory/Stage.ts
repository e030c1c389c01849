/**
 * One table of a run while it is written: the columns that it has in this run, and the rows that wait for the commit.
 *
 * The law: the columns are settled at open, and rows are brought into them as they come, so that a commit compares and
 * adds cells of the same types.
 */
import type * as Column from "../../src/pipeline/Column.ts"
import * as Sink from "../../src/pipeline/Sink.ts"
import * as Table from "../../src/pipeline/Table.ts"
import type * as Database from "./Database.ts"
import { evolve, reshape } from "./evolve.ts"
import type { Staged } from "./merge.ts"
import { isHistory } from "./storedFault.ts"

export interface Stage extends Sink.TablePlan {
  /** What was there before this run, without the columns of a history. */
  readonly before: ReadonlyArray<Column.Column> | undefined
  readonly columns: ReadonlyArray<Column.Column>
  staged: Array<Staged>
  /** The names of the keys that this run saw, or could not learn. */
  readonly seen: Set<string>
}

export const make = (planned: Sink.TablePlan, stored: Database.Stored | undefined, evolves: boolean): Stage => {
  const { table, write } = planned
  const isReplaced = write === "replace" || stored === undefined
  const before = isReplaced ? undefined : write === "scd2" ? stored.columns.filter(isOwn) : stored.columns
  const columns = before === undefined ? table.columns : evolves ? evolve(before, table.columns) : before
  return { ...planned, before, columns, staged: [], seen: new Set() }
}

/** Takes the rows of a batch. Throws where a cell has no place in the table. */
export const add = (stage: Stage, rows: ReadonlyArray<Table.Row>, batch: number): void => {
  for (const row of reshape(rows, stage.table.columns, stage.columns)) stage.staged.push({ row, batch })
  if (stage.write === "scd2") for (const row of rows) stage.seen.add(Table.nameOf(row, stage.table.key))
}

/** The rows that a table holds, in the columns of this run. */
export const present = (stage: Stage, stored: Database.Stored | undefined): ReadonlyArray<Table.Row> =>
  stored === undefined ? [] : reshape(stored.rows, stored.columns, isHistory(stored) ? kept(stage) : stage.columns)

/** The columns that the table has after this run. */
export const kept = ({ columns, write }: Stage): ReadonlyArray<Column.Column> =>
  write === "scd2" ? [...columns, ...Sink.historyColumns] : columns

const isOwn = ({ name }: Column.Column): boolean => !Sink.historyColumns.some((column) => column.name === name)
