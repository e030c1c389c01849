/** A table as rows in memory, and what waits for it in a run. */
import type * as Column from "../Column.ts"
import type { Plan, TablePlan } from "../SinkPlan.ts"
import type * as Table from "../Table.ts"
import type { Staged } from "./mergeRows.ts"

type Columns = ReadonlyArray<Column.Column>
type Rows = ReadonlyArray<Table.Row>

/** A table as rows in memory. */
export interface RowTable {
  /** With the columns of a history, where it is one. */
  readonly columns: Columns
  /** In the order written. Their cells are of these columns. */
  readonly rows: Rows
}

/** One table of a run while it is written. */
export interface RowStage extends TablePlan {
  /** The plan of the run. */
  readonly plan: Plan
  /** What was there before this run, without the columns of a history. */
  readonly before: Columns | undefined
  /** What the table has in this run: settled at open, so that a commit compares and adds cells of the same types. */
  readonly columns: Columns
  /** The rows that wait for the commit. */
  staged: Array<Staged>
  /** The keys of the rows that this run could not learn. */
  retained: Array<Table.Row>
  /** The rows of earlier commits of this run, as they were handed over, and how many of them are in the table. */
  written: Array<Table.Row>
  /** How many rows of this run are in the table. */
  committed: number
}
