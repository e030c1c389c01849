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
  /** scd2: the names of the keys that this run saw, or could not learn. */
  readonly seen: Set<string>
  /** The rows that earlier commits of this run wrote, where a later one needs to know them, and how many. */
  written: ReadonlyArray<Table.Row>
  committed: number
  /** The keys whose rows this run could not learn. */
  readonly kept: Array<Table.Row>
}

export const make = (
  planned: Sink.TablePlan,
  stored: Database.Stored | undefined,
  { evolve: evolves, shared }: Sink.Plan
): Stage => {
  const { table, write } = planned
  // Rows of others stay in a shared table, whatever its pipelines write.
  const isReplaced = (write === "replace" && shared !== true) || stored === undefined
  const before = isReplaced ? undefined : write === "scd2" ? stored.columns.filter(isOwn) : stored.columns
  const columns = before === undefined ? table.columns : evolves ? evolve(before, table.columns) : before
  return { ...planned, before, columns, staged: [], seen: new Set(), written: [], committed: 0, kept: [] }
}

/** Takes the rows of a batch. Throws where a cell has no place in the table. */
export const add = (stage: Stage, rows: ReadonlyArray<Table.Row>, batch: number): void => {
  for (const row of reshape(rows, stage.table.columns, stage.columns)) stage.staged.push({ row, batch })
  if (stage.write === "scd2") for (const row of rows) stage.seen.add(Table.keyText(row, stage.table.key))
}

/** Takes keys whose rows could not be learned. */
export const keep = (stage: Stage, keys: ReadonlyArray<Table.Row>): void => {
  stage.kept.push(...keys)
  for (const key of keys) stage.seen.add(Table.keyText(key, stage.table.key))
}

/** Goes on to the next commit. */
export const clear = (stage: Stage, written: number): void => {
  stage.committed += written
  stage.written = [...stage.written, ...stage.staged.map(({ row }) => row)]
  stage.staged = []
}

/** The rows that a table holds, in the columns of this run. */
export const present = (stage: Stage, stored: Database.Stored | undefined): ReadonlyArray<Table.Row> =>
  stored === undefined ? [] : reshape(stored.rows, stored.columns, isHistory(stored) ? kept(stage) : stage.columns)

/** The columns that the table has after this run. */
export const kept = ({ columns, write }: Stage): ReadonlyArray<Column.Column> =>
  write === "scd2" ? [...columns, ...Sink.historyColumns] : columns

const isOwn = ({ name }: Column.Column): boolean => !Sink.historyColumns.some((column) => column.name === name)
