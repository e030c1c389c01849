/**
 * A table made ready for the rows of a commit, within its transaction: made where it is missing, its columns added and
 * widened where the plan says so. It is rolled back with everything else.
 *
 * Nobody else changes the table until the commit; readers go on, unless its columns change.
 */
import * as Effect from "effect/Effect"
import * as Column from "../../../src/pipeline/Column.ts"
import * as Sink from "../../../src/pipeline/Sink.ts"
import * as StoredTable from "../../../src/pipeline/StoredTable.ts"
import type * as Table from "../../../src/pipeline/Table.ts"
import { widen } from "../../../src/pipeline/widen.ts"
import { busy, failure, type ServerError } from "../failure.ts"
import type { Connection } from "../server/Connection.ts"
import * as catalog from "../server/catalog.ts"
import * as Place from "../server/Place.ts"
import { cast } from "./cast.ts"
import { addition, definition, typeComment, typeSql } from "./columnSql.ts"
import { hideCurrent, showCurrent } from "./currentView.ts"
import { describeTable, noteColumn, noteOf } from "./describeTable.ts"
import { sqlAs, type WrittenColumn, writtenColumns } from "./TableShape.ts"

export interface Preparation {
  readonly place: Place.Place
  readonly evolve: boolean
  /** Whose rows are those that a table has before it has `Sink.pipelineColumn`. */
  readonly owner: string | undefined
  /** The tables of the plan. */
  readonly planned: ReadonlyArray<string>
}

/** A table in the transaction of a commit. */
export interface Prepared {
  /** The columns of the table that a run does not write, as conditions that they are null: a row of this run has them so. */
  readonly lacking: ReadonlyArray<string>
  /** Whether it was made in this transaction. */
  readonly isNew: boolean
}

type Failure = ServerError | Sink.SinkError

/** `copied`: the columns as the rows of the run were copied. */
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
    return { lacking: [], isNew: true }
  }
  yield* connection.run(`LOCK TABLE ${target} IN SHARE ROW EXCLUSIVE MODE`)
  if (write === "replace") return { lacking: [], isNew: false }
  yield* fitTable(connection, planned, preparation)
  const present = yield* catalog.describe(connection, place, table.name)
  const now = writtenColumns(table, present, false)
  if (JSON.stringify(now.map(shapeOf)) !== JSON.stringify(copied.map(shapeOf))) {
    return yield* busy(`table ${table.name} was altered while this run wrote into it: run it again`)
  }
  if (write === "scd2") yield* showCurrent(connection, place, table.name, preparation.planned)
  return { lacking: StoredTable.notWritten(table, present).map(Column.quote), isNew: false }
})

const shapeOf = ({ name, sql, to }: WrittenColumn) => [name, sql, Column.toSql(to)]

const createTable = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.Place,
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

/** Makes a table that is there one that takes the rows of a run. */
export const fitTable = Effect.fnUntraced(function* (
  connection: Connection,
  planned: Sink.TablePlan,
  { evolve, owner, place }: Preparation
): Effect.fn.Return<void, Failure> {
  const { table, write } = planned
  const target = Place.named(place, table.name)
  const present = yield* catalog.describe(connection, place, table.name)
  const fault = StoredTable.fault(planned, present, evolve, yield* catalog.isEmpty(connection, target))
  if (fault !== undefined) return yield* failure(fault)()
  if (evolve) yield* alter(connection, place, table, present)
  if (write === "scd2" && !Sink.isHistory(present)) yield* becomeHistory(connection, target, table)
  yield* describeTable(connection, place, table, [...table.columns, ...Sink.historyColumns])
  const { name } = Sink.pipelineColumn
  const fresh = Column.named(table.columns, name) !== undefined && Column.named(present, name) === undefined
  if (fresh && owner !== undefined) yield* connection.run(`UPDATE ${target} SET ${name} = $1`, [owner])
})

/** Adds the columns that a table lacks, widens those that are too narrow, and lets be null what a run may leave null. */
const alter = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.Place,
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
    // What was a struct, and is any JSON now, says so no more.
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

/** Makes a table the beginning of a history: its rows are the current versions, and nobody knows since when. */
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
