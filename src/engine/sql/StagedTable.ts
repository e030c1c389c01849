/**
 * One table of a run as the planner sees it: its rows that wait in a temporary table, and the stored table that they go into.
 * The staged columns have the types of the stored table, so that no statement casts.
 */
import * as Column from "../Column.ts"
import type * as Sink from "../Sink.ts"
import type { WrittenColumn } from "../SqlPort.ts"
import type { StoredColumn } from "../StoredTable.ts"
import type { RowChanges } from "./RowHashes.ts"
import type { Spelling } from "./Spelling.ts"

export interface StagedTable extends Sink.TablePlan {
  readonly spelling: Spelling
  /** The number of the table in its plan, in the names of its temporary tables. */
  readonly number: number
  /** The SQL name of the table with its rows; absent: their temporary table. */
  readonly rows?: string
  /** A relation of the numbers and the keys of its rows that count, where they are not in the table with its rows. */
  readonly keys?: string
  /** The SQL name of the stored table. */
  readonly target: string
  readonly columns: ReadonlyArray<WrittenColumn>
  /** The columns that the stored table had before this commit; none: there was no such table. */
  readonly stored: ReadonlyArray<StoredColumn>
  /** Columns that no run has written: somebody else's. */
  readonly foreign: ReadonlyArray<StoredColumn>
  /** The stored columns that the run does not write, so that they are null in its rows and a value there is a difference. */
  readonly lacking: ReadonlyArray<string>
  /** All columns of Millrace that the run does not write: they become null in a row that it changes. */
  readonly cleared: ReadonlyArray<string>
  /** The column that tells stored rows apart. */
  readonly rowId: string
  /** What a commit changes, for its record; absent: it is not recorded. */
  readonly changes?: RowChanges
}

/** The column of a staged row that is the planner's: its number among the rows of all tables of the run. */
export const numberColumn = "_millrace_number"

/** The name of a temporary table of a stage. */
export const scratch = ({ number, spelling }: Pick<StagedTable, "number" | "spelling">, what: string): string =>
  spelling.temporary(`_millrace_${what}_${number}`)

export const staged = (table: Pick<StagedTable, "number" | "spelling" | "rows">): string =>
  table.rows ?? scratch(table, "staged")
/** The staged rows where only numbers and keys are asked for. */
export const stagedKeys = (table: Pick<StagedTable, "number" | "spelling" | "rows" | "keys">): string =>
  table.keys ?? staged(table)
export const retained = (table: Pick<StagedTable, "number" | "spelling">): string => scratch(table, "retained")

/** The list of the columns that the run writes. */
export const columnList = ({ columns }: StagedTable, alias?: string): string =>
  columns.map(({ name }) => `${alias === undefined ? "" : `${alias}.`}${Column.quote(name)}`).join(", ")

export const keyColumns = ({ columns, table }: StagedTable): ReadonlyArray<WrittenColumn> =>
  table.key.flatMap((key) => columns.find(({ ours }) => ours === key) ?? [])

/** Whether its rows have `_run_id`. */
export const hasRunId = ({ columns }: Pick<StagedTable, "columns">): boolean =>
  columns.some(({ name }) => name === "_run_id")

/** A column of the one side and the column of the other that it is compared with. */
export interface Pair {
  readonly one: string
  readonly other: string
  readonly type: Column.ColumnType
}

/** The key, in the table and in its staged rows. */
export const keyPairs = (table: StagedTable): ReadonlyArray<Pair> =>
  keyColumns(table).map(({ name, to }) => ({ one: name, other: name, type: to }))

/** The columns that refer to the parent, each with the parent's column. */
export const parentPairs = ({ columns, table }: StagedTable, parent: StagedTable): ReadonlyArray<Pair> =>
  Object.entries(table.parent?.on ?? {}).flatMap(([ours, theirs]) => {
    const [own, other] = [Column.named(columns, ours), Column.named(parent.columns, theirs)]
    return own === undefined || other === undefined ? [] : [{ one: own.name, other: other.name, type: own.to }]
  })

/** That two rows have equal values in some columns, none of which is null. */
export const areEqual = ({ comparable }: Spelling, pairs: ReadonlyArray<Pair>, one: string, other: string): string =>
  pairs
    .map(
      (pair) =>
        `${comparable(`${one}.${Column.quote(pair.one)}`, pair.type)} = ${comparable(`${other}.${Column.quote(pair.other)}`, pair.type)}`
    )
    .join(" AND ")

/** That the values of a row are among those of a relation. */
export const isAmong = ({ comparable }: Spelling, pairs: ReadonlyArray<Pair>, one: string, from: string): string => {
  const ours = pairs.map((pair) => comparable(`${one}.${Column.quote(pair.one)}`, pair.type))
  const theirs = pairs.map((pair) => comparable(`among.${Column.quote(pair.other)}`, pair.type))
  return `${tuple(ours)} IN (SELECT ${theirs.join(", ")} FROM ${from} AS among)`
}

export const tuple = (values: ReadonlyArray<string>): string =>
  values.length === 1 ? (values[0] ?? "") : `(${values.join(", ")})`
