/** A table as rows in memory, and the rows of a run that wait for the commit. */
import type * as Column from "../Column.ts"
import type * as ColumnRegistry from "../ColumnRegistry.ts"
import type { Plan, TablePlan } from "../SinkPlan.ts"
import type * as Table from "../Table.ts"
import type { Staged } from "./mergeRows.ts"

type Columns = ReadonlyArray<Column.Column>
type Rows = ReadonlyArray<Table.Row>

/** A table as rows in memory. */
export interface RowTable {
  /** Its columns; a history has also `historyColumns`. */
  readonly columns: Columns
  /** Its rows, in the order in which they were written, with cells of these columns. */
  readonly rows: Rows
  /** All columns that runs have written; absent: that is not known. */
  readonly registry?: ColumnRegistry.Registry
}

/** One table of a run while it is written. */
export interface RowStage extends TablePlan {
  /** The plan of the run. */
  readonly plan: Plan
  /** The columns of the table before this run, without `historyColumns`; undefined: there was none, or it gets those of the run. */
  readonly before: Columns | undefined
  /** The columns of the table in this run. They are fixed at open, so that a commit compares cells of the same types. */
  readonly columns: Columns
  /** The rows that wait for the commit. */
  staged: Array<Staged>
  /** The keys of rows that this run could not read. */
  retained: Array<Table.Row>
  /** The rows of earlier commits of this run, as the sink got them. */
  written: Array<Table.Row>
  /** How many rows earlier commits of this run have written. */
  committed: number
}
