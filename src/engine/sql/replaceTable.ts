/**
 * Replaces the rows of a table by the staged rows: old rows that do not stay are removed, and the new rows are inserted.
 *
 * If no old row stays, the table gets the columns of this run, unless it may not evolve: in its place if the dialect can change
 * columns there, otherwise it is made again, and columns of somebody else stay beside them. If some stay, it is widened for both, and the staged rows are converted to its types.
 */
import * as Effect from "effect/Effect"
import * as Column from "../Column.ts"
import type { SinkError } from "../Commit.ts"
import type { Remaining } from "../remainingRows.ts"
import { fitsInto, linkColumns } from "../widen.ts"
import { copyRows } from "./copyRows.ts"
import { hideCurrent } from "./currentView.ts"
import { createTable, type Fitting, fitTable, reshapeTable } from "./fitTable.ts"
import { insertSteps } from "./mergeSteps.ts"
import * as RowHashes from "./RowHashes.ts"
import * as RowNotes from "./RowNotes.ts"
import { noteGoing, removalSteps, stayingStep } from "./replaceSteps.ts"
import type { DescribedColumn, SqlDatabase } from "./SqlDatabase.ts"
import { numberColumn, type StagedTable, staged } from "./StagedTable.ts"
import * as TableRegistry from "./TableRegistry.ts"

export const replaceTable = Effect.fnUntraced(function* (
  database: SqlDatabase,
  table: StagedTable,
  remaining: Remaining,
  fitting: Fitting
): Effect.fn.Return<void, SinkError> {
  if (!remaining.isThere) return void (yield* database.take(insertSteps(table)))
  const before = (yield* TableRegistry.describe(database, table.table.name))?.columns ?? []
  if (remaining.rows === 0) {
    if (fitting.evolve && database.dialect.alter !== undefined) {
      yield* database.take(removalSteps(table, remaining))
      yield* reshapeTable(database, table, before)
      return void (yield* database.take(insertSteps(table)))
    }
    if (fitting.evolve && !isAlike(table, before)) {
      const foreign = before.filter(({ name }) => fitting.claimed?.columns.has(name.toLowerCase()) === false)
      yield* database.run(database.spelling.drop(table.table.name))
      yield* createTable(database, table, foreign)
      return void (yield* database.take(insertSteps(table)))
    }
    return void (yield* database.take([...removalSteps(table, remaining), ...insertSteps(table)]))
  }
  yield* database.take(removalSteps(table, remaining))
  if (!fitting.evolve) return void (yield* database.take(insertSteps(table)))
  yield* fitTable(database, table, before, fitting)
  yield* copyStaged(database, table)
})

/** Copies the staged rows into the stored table, whose columns may have other types. */
const copyStaged = Effect.fnUntraced(function* (
  database: SqlDatabase,
  table: StagedTable
): Effect.fn.Return<void, SinkError> {
  const after = (yield* TableRegistry.describe(database, table.table.name))?.columns ?? []
  const isAsStaged = table.columns.every(({ name, sql }) => {
    return TableRegistry.sameSql(Column.named(after, name)?.sql ?? "", sql)
  })
  yield* database.take(RowNotes.added(table, "", undefined, isAsStaged))
  yield* copyRows(database, {
    table: table.table.name,
    from: `${staged(table)}${database.spelling.inOrder(numberColumn)}`,
    into: table.target,
    columns: intoColumns(table, after)
  })
})

const intoColumns = ({ columns }: StagedTable, after: ReadonlyArray<DescribedColumn>) =>
  columns.flatMap(({ name, to }) => {
    const there = Column.named(after, name)
    return there === undefined ? [] : [{ from: name, into: there.name, type: to, to: there.type, sql: there.sql }]
  })

/**
 * Replaces a table by the table beside it that has the new rows. Old rows that stay are copied there, unless there are more of them
 * than new rows, or other columns: then the new rows are copied.
 */
export const replaceByNext = Effect.fnUntraced(function* (
  database: SqlDatabase,
  table: StagedTable,
  remaining: Remaining,
  fitting: Fitting & { readonly written: number }
): Effect.fn.Return<void, SinkError> {
  const { rows, isThere } = remaining
  const next = staged(table)
  const before = isThere ? ((yield* TableRegistry.describe(database, table.table.name))?.columns ?? []) : []
  const shape = (columns: ReadonlyArray<{ readonly name: string; readonly sql: string }>) =>
    columns
      .map(({ name, sql }) => `${name.toLowerCase()} ${sql}`)
      .toSorted()
      .join("\n")
  const isAlike = TableRegistry.sameSql(shape(before), shape(table.columns))
  if (rows > 0 && (rows > fitting.written || !isAlike)) {
    // Tables are altered before their rows are changed.
    yield* fitTable(database, table, before, fitting)
    yield* database.take(removalSteps(table, remaining))
    yield* copyStaged(database, table)
    return void (yield* database.run(`DROP TABLE ${next}`))
  }
  yield* database.take(RowNotes.added(table, ""))
  if (rows > 0) yield* database.take([...noteGoing(table), stayingStep(table)])
  if (isThere) {
    yield* hideCurrent(database, table.table.name)
    yield* database.run(database.spelling.drop(table.table.name))
  }
  yield* database.run(`ALTER TABLE ${next} RENAME TO ${Column.quote(table.table.name)}`)
})

/** Widens the columns that refer to a parent of which old rows stayed: its columns may be wider than those of the run. */
export const linkTable = Effect.fnUntraced(function* (
  database: SqlDatabase,
  table: StagedTable,
  parent: StagedTable,
  fitting: Fitting
): Effect.fn.Return<void, SinkError> {
  const [own, above] = yield* Effect.forEach([table, parent], (one) =>
    Effect.map(TableRegistry.describe(database, one.table.name), (there) => there?.columns ?? [])
  )
  const columns = linkColumns(table.table.columns, table.table.parent, above ?? [])
  const isWide = columns.every(({ name, type }) => {
    const there = Column.named(own ?? [], name)?.type
    return there === undefined || fitsInto(type, there)
  })
  if (isWide) return
  yield* fitTable(database, { ...table, table: { ...table.table, columns } }, own ?? [], fitting)
  if (table.changes !== undefined) RowHashes.forget(table.changes)
})

/** Whether the stored table has the columns of the run and none besides, but for those of somebody else. */
const isAlike = ({ columns, foreign, table }: StagedTable, before: ReadonlyArray<DescribedColumn>): boolean => {
  const own = before.filter(({ name }) => Column.named(foreign, name) === undefined)
  return (
    own.length === columns.length &&
    columns.every(({ name, ours, to }, at) => {
      const there = own[at]
      const nullable = Column.named(table.columns, ours)?.nullable
      return (
        there?.type !== undefined &&
        there.name === name &&
        there.nullable === nullable &&
        Column.toSql(there.type) === Column.toSql(to)
      )
    })
  )
}
