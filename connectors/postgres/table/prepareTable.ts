/**
 * Prepares a table for the rows of a commit, in its transaction: creates it if it is missing, and adds and widens columns if
 * the plan says so. It is rolled back with everything else.
 *
 * The table is locked against other writers until the commit. Readers are not blocked, unless its columns change.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as Sink from "#engine/Sink"
import * as StoredTable from "#engine/StoredTable"
import type * as Table from "#engine/Table"
import { widen } from "#engine/widen"
import { addition, definition, typeComment, typeSql } from "../columnSql.ts"
import { busy, failure, type ServerError } from "../failure.ts"
import type { Claimed } from "../ledger/TableOwners.ts"
import * as Place from "../Place.ts"
import type { Connection } from "../server/Connection.ts"
import * as catalog from "../server/catalog.ts"
import { cast } from "./cast.ts"
import { changedValue } from "./changedValue.ts"
import { hideCurrent, showCurrent } from "./currentView.ts"
import { describeTable, noteColumn, noteOf } from "./describeTable.ts"
import { sqlAs, type WrittenColumn, writtenColumns } from "./TableShape.ts"

export interface Preparation {
  readonly place: Place.DatabaseLocation
  readonly evolve: boolean
  /** The pipeline that owns the rows from before the table had `Sink.pipelineColumn`, and the columns that runs have written. */
  readonly claimed: Claimed | undefined
  /** The tables of the plan. */
  readonly planned: ReadonlyArray<string>
}

/** A table in the transaction of a commit. */
export interface Prepared {
  /** Columns that the run does not write, so that they are null in its rows (`StoredTable.notWritten`). */
  readonly lacking: ReadonlyArray<string>
  /** Columns that no run has written: somebody else's, whose values stay. */
  readonly foreign: ReadonlyArray<string>
  /** Whether this transaction created it. */
  readonly isNew: boolean
}

type Failure = ServerError | Sink.SinkError

/** Prepares the table. `copied`: the columns with which the rows of the run were staged. */
export const prepareTable = Effect.fnUntraced(function* (
  connection: Connection,
  planned: Sink.TablePlan,
  copied: ReadonlyArray<WrittenColumn>,
  preparation: Preparation
): Effect.fn.Return<Prepared, Failure> {
  const { table, write } = planned
  const { place } = preparation
  const target = Place.named(place, table.name)
  if (!(yield* catalog.has(connection, place, table.name))) {
    yield* createTable(connection, place, planned)
    if (write === "scd2") yield* showCurrent(connection, place, table.name, preparation.planned)
    return { lacking: [], foreign: [], isNew: true }
  }
  yield* connection.run(`LOCK TABLE ${target} IN SHARE ROW EXCLUSIVE MODE`)
  if (write === "replace" && preparation.evolve) return { lacking: [], foreign: [], isNew: false }
  yield* fitTable(connection, planned, preparation)
  const present = yield* catalog.describe(connection, place, table.name)
  const now = writtenColumns(table, present, false)
  if (JSON.stringify(now.map(shapeOf)) !== JSON.stringify(copied.map(shapeOf))) {
    return yield* busy(`table ${table.name} was altered while this run wrote into it: run it again`)
  }
  if (write === "scd2") yield* showCurrent(connection, place, table.name, preparation.planned)
  const isForeign = ({ name }: StoredTable.StoredColumn) => preparation.claimed?.columns.has(name) === false
  const ours = present.filter((column) => !isForeign(column))
  return {
    lacking: StoredTable.notWritten(planned, ours),
    foreign: present.filter(isForeign).map(({ name }) => name),
    isNew: false
  }
})

const shapeOf = ({ name, sql, to }: WrittenColumn) => [name, sql, Column.toSql(to)]

const createTable = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.DatabaseLocation,
  { table, write }: Sink.TablePlan
) {
  const target = Place.named(place, table.name)
  const columns = [...table.columns, ...(write === "scd2" ? Sink.historyColumns : [])]
  const statements = [
    `CREATE TABLE ${target} (${columns.map(definition).join(", ")})`,
    `COMMENT ON TABLE ${target} IS ${Place.literal(table.description)}`,
    ...columns.flatMap((column) => noteOf(target, column.name, column) ?? [])
  ]
  yield* connection.run(statements.join(";\n"))
})

/** Changes an existing table so that it takes the rows of a run. */
export const fitTable = Effect.fnUntraced(function* (
  connection: Connection,
  planned: Sink.TablePlan,
  { claimed, evolve, place }: Preparation
): Effect.fn.Return<void, Failure> {
  const { table, write } = planned
  const target = Place.named(place, table.name)
  const present = yield* catalog.describe(connection, place, table.name)
  const fault =
    StoredTable.fault(planned, present, evolve, yield* catalog.isEmpty(connection, target)) ??
    (evolve ? yield* changedValue(connection, place, table, present) : undefined)
  if (fault !== undefined) return yield* failure(fault)()
  if (evolve) yield* alter(connection, place, table, present)
  if (write === "scd2" && !Sink.isHistory(present)) yield* becomeHistory(connection, target, table)
  yield* describeTable(connection, place, table, [...table.columns, ...Sink.historyColumns])
  const { name } = Sink.pipelineColumn
  const fresh = Column.named(table.columns, name) !== undefined && Column.named(present, name) === undefined
  if (fresh && claimed !== undefined) yield* connection.run(`UPDATE ${target} SET ${name} = $1`, [claimed.owner])
})

/** Adds missing columns, widens columns that are too narrow, and drops NOT NULL from columns that the run may leave null. */
const alter = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.DatabaseLocation,
  table: Table.Table,
  present: ReadonlyArray<catalog.Present>
) {
  const target = Place.named(place, table.name)
  const changes: Array<string> = []
  let isRetyped = false
  for (const column of table.columns) {
    const there = Column.named(present, column.name)
    if (there === undefined) {
      changes.push(`ADD COLUMN ${addition(column)}`)
      continue
    }
    if (there.type === undefined) continue
    const to = widen(there.type, column.type)
    if (sqlAs(there, to) === there.sql) continue
    const name = Column.quote(there.name)
    isRetyped = true
    changes.push(`ALTER COLUMN ${name} TYPE ${typeSql(to)} USING ${cast(name, there.type, to)}`)
  }
  for (const name of StoredTable.tooStrict(table, present)) {
    changes.push(`ALTER COLUMN ${Column.quote(name)} DROP NOT NULL`)
  }
  if (isRetyped) yield* hideCurrent(connection, place, table.name)
  if (changes.length > 0) yield* connection.run(`ALTER TABLE ${target} ${changes.join(", ")}`)
  for (const column of table.columns) {
    const there = Column.named(present, column.name)
    const to = there?.type === undefined ? column.type : widen(there.type, column.type)
    if (there?.type !== undefined && Column.toSql(there.type) === Column.toSql(to)) continue
    // If a struct becomes JSON, the type in its comment is removed.
    if (
      there !== undefined &&
      typeComment(to) === undefined &&
      there.type !== undefined &&
      typeComment(there.type) !== undefined
    ) {
      yield* connection.run(`COMMENT ON COLUMN ${target}.${Column.quote(there.name)} IS NULL`)
    }
    yield* noteColumn(connection, target, there?.name ?? column.name, { ...column, type: to })
  }
})

/** Turns a table into a history: its rows become the current versions, which begin at 1970-01-01. */
const becomeHistory = Effect.fnUntraced(function* (connection: Connection, target: string, table: Table.Table) {
  const key = table.key.map(Column.quote).join(", ")
  const twice = yield* connection.rows(
    `SELECT count(*) AS n FROM ${target} GROUP BY ${key} HAVING count(*) > 1 LIMIT 1`
  )
  if (twice.length > 0) {
    return yield* failure(StoredTable.repeatedKeys(table))()
  }
  yield* connection.run(
    `ALTER TABLE ${target} ${Sink.historyColumns.map((column) => `ADD COLUMN ${addition(column)}`).join(", ")}`
  )
  yield* connection.run(`UPDATE ${target} SET valid_from = timestamptz 'epoch', is_current = true`)
})
