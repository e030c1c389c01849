/**
 * The columns of a table: in its manifest, and after a run.
 *
 * A column keeps its position and its name; new ones are added at the end. A column has the same type in all files of a
 * table, so that any reader can read them together; a column that is not in a file is null there.
 */
import * as Option from "effect/Option"
import * as Column from "#engine/Column"
import { toSql } from "#engine/Column"
import { columnFromSql } from "#engine/columnFromSql"
import * as Sink from "#engine/Sink"
import { widenColumns } from "#engine/widen"
import type * as Manifest from "./Manifest.ts"

/** The columns of a table after a run. */
export const columnsAfter = (
  before: Manifest.TableState | undefined,
  { table, write }: Sink.TablePlan,
  evolve: boolean
): ReadonlyArray<Column.Column> => {
  const known = before === undefined ? [] : ownColumns(before)
  const own = before === undefined || evolve ? widenColumns(known, table.columns) : known
  return write === "scd2" ? [...own, ...Sink.historyColumns] : own
}

/** The columns of a table without those of its history, for `Writer.columns`. */
export const ownColumns = (state: Manifest.TableState): ReadonlyArray<Column.Column> => {
  const columns = columnsOf(state.columns)
  return hasHistory(state) ? Sink.withoutHistory(columns) : columns
}

/** Whether a table has the columns of a history. */
export const hasHistory = ({ columns }: Manifest.TableState): boolean =>
  Sink.historyColumns.every(({ name, type }) =>
    columns.some((column) => column.name === name && column.type === toSql(type))
  )

/** Columns from their names and SQL types. A column of an unknown type is left out. */
export const columnsOf = (columns: Manifest.TableState["columns"]): ReadonlyArray<Column.Column> =>
  columns.flatMap(({ description, name, type: text }) =>
    Option.match(Option.fromUndefinedOr(columnFromSql(text)), {
      onNone: () => [],
      onSome: (type) => [{ name, type, nullable: true, ...(description === undefined ? {} : { description }) }]
    })
  )

/** Columns with the descriptions of a run; a column that the run does not have keeps its description. */
export const describedColumns = (
  columns: ReadonlyArray<Column.Column>,
  ofRun: ReadonlyArray<Column.Column>
): ReadonlyArray<Column.Column> => {
  const sources = [...ofRun, ...Sink.historyColumns]
  return columns.map((column) => {
    const { description } = Column.named(sources, column.name) ?? column
    return description === undefined ? column : { ...column, description }
  })
}

/** Whether a column of a table has another type than before. */
export const isWider = (before: Manifest.TableState, after: ReadonlyArray<Column.Column>): boolean =>
  columnsOf(before.columns).some(({ name, type }) => {
    const now = Column.named(after, name)
    return now !== undefined && toSql(now.type) !== toSql(type)
  })
