/**
 * The shape that a table will have at the commit, found before the first row: the types with which rows are copied.
 *
 * Nothing is changed here, so that readers are not blocked while a run reads its source. The commit makes the changes.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as Sink from "#engine/Sink"
import * as StoredTable from "#engine/StoredTable"
import type * as Table from "#engine/Table"
import { widen } from "#engine/widen"
import { isInJson, isJsonSql, typeSql } from "../columnSql.ts"
import type { CopiedColumn } from "../copy/CopyBuffer.ts"
import { failure } from "../failure.ts"
import * as Place from "../Place.ts"
import type { Connection } from "../server/Connection.ts"
import * as catalog from "../server/catalog.ts"
import { nameFault } from "./nameFault.ts"

/** A column that the run writes. */
export interface WrittenColumn extends CopiedColumn {
  /** Its name in the stored table, which may differ in case. */
  readonly name: string
}

export interface TableShape {
  /** The columns of the table before the run, without `historyColumns`; undefined: there was no table, or it gets those of the run. */
  readonly before: ReadonlyArray<Column.Column> | undefined
  readonly columns: ReadonlyArray<WrittenColumn>
}

/** Makes the stage; it fails if the stored table cannot be written as planned. */
export const find = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.DatabaseLocation,
  planned: Sink.TablePlan,
  evolve: boolean
) {
  const { table, write } = planned
  const unfit = nameFault(table) ?? keyFault(planned)
  if (unfit !== undefined) return yield* failure(unfit)()
  const relation = yield* catalog.relationOf(connection, place, table.name)
  if (relation !== undefined && relation.kind !== "r") {
    const what = kinds[relation.kind ?? ""] ?? "something else"
    return yield* failure(
      `table ${table.name}: the database has ${what} of this name; rename it, or write another table`
    )()
  }
  if (relation === undefined || (write === "replace" && evolve)) {
    return { before: undefined, columns: writtenColumns(table, undefined, true) } satisfies TableShape
  }
  const present = yield* catalog.describe(connection, place, table.name)
  const isEmpty = yield* catalog.isEmpty(connection, Place.named(place, table.name))
  const fault = StoredTable.fault(planned, present, evolve, isEmpty)
  if (fault !== undefined) return yield* failure(fault)()
  const before = write === "scd2" ? Sink.withoutHistory(present) : present
  const shape: TableShape = {
    before: before.flatMap(({ name, nullable, type }) => (type === undefined ? [] : [{ name, type, nullable }])),
    columns: writtenColumns(table, present, evolve)
  }
  return shape
})

/** Why rows cannot be found by their key: Postgres cannot compare JSON. Undefined: they can. */
const keyFault = ({ table, write }: Sink.TablePlan): string | undefined => {
  if (write !== "merge" && write !== "scd2") return undefined
  const nested = table.columns.find(({ name, type }) => table.key.includes(name) && isInJson(type))
  return (
    nested &&
    `table ${table.name}: its key ${nested.name} is JSON in Postgres, and cannot be compared; name another key`
  )
}

const kinds: Readonly<Record<string, string>> = {
  v: "a view",
  m: "a materialized view",
  f: "a foreign table",
  p: "a partitioned table",
  S: "a sequence",
  i: "an index",
  c: "a type"
}

/** The columns of a run that the table has or gets, in the order of the run. */
export const writtenColumns = (
  table: Table.Table,
  present: ReadonlyArray<catalog.Present> | undefined,
  evolve: boolean
): ReadonlyArray<WrittenColumn> =>
  table.columns.flatMap((column) => {
    const there = present && Column.named(present, column.name)
    if (there === undefined) {
      const { name, type } = column
      return present === undefined || evolve ? [{ name, ours: name, from: type, to: type, sql: typeSql(type) }] : []
    }
    if (there.type === undefined) return []
    const to = evolve ? widen(there.type, column.type) : there.type
    return [{ name: there.name, ours: column.name, from: column.type, to, sql: sqlAs(there, to) }]
  })

/** The SQL type of an existing column after the run: types that are not widened stay, and so does `jsonb`. */
export const sqlAs = ({ sql, type }: catalog.Present, to: Column.ColumnType): string =>
  (type !== undefined && Column.toSql(type) === Column.toSql(to)) || (isJsonSql(sql) && isInJson(to))
    ? sql
    : typeSql(to)
