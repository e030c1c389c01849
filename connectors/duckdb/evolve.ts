/**
 * A table made ready for a run: made where it is missing, its columns added and widened where the plan says so.
 *
 * The law: this is the first thing that a transaction does to a table, because DuckDB commits no table that was altered
 * after its rows were changed. It is rolled back with everything else.
 */
import * as Effect from "effect/Effect"
import { cast } from "../../src/duckdb/cast.ts"
import type * as Database from "../../src/duckdb/Database.ts"
import { columnsIn, describe, type Present } from "../../src/duckdb/describe.ts"
import * as Column from "../../src/pipeline/Column.ts"
import * as Sink from "../../src/pipeline/Sink.ts"
import type * as Table from "../../src/pipeline/Table.ts"
import { widen } from "../../src/pipeline/widen.ts"
import { has, spell } from "./catalog.ts"
import { failure } from "./failure.ts"

/** A column that rows of a run are written into. */
export interface Written {
  readonly name: string
  /** The type that it has in the database. */
  readonly sql: string
  /** Our cell as a value of it. */
  readonly value: string
}

export interface Ready {
  /** What was there before, without the columns of a history; none where there was no such table or it is replaced. */
  readonly before: ReadonlyArray<Column.Column> | undefined
  readonly written: ReadonlyArray<Written>
}

export const target = (table: Table.Table): string => `target.main.${Column.quote(table.name)}`

export const ready = Effect.fnUntraced(function* (
  database: Database.Database,
  { table, write }: Sink.TablePlan,
  evolve: boolean
): Effect.fn.Return<Ready, Database.DatabaseError | Sink.SinkError> {
  const added = write === "scd2" ? Sink.historyColumns : []
  if (write === "replace" || !(yield* has(database, "target", table.name))) {
    const columns = [...table.columns, ...added].map(definition).join(", ")
    yield* database.run(`CREATE ${write === "replace" ? "OR REPLACE " : ""}TABLE ${target(table)} (${columns})`)
    return { before: undefined, written: writtenInto(table, yield* describe(database, target(table))) }
  }
  const present = yield* describe(database, target(table))
  const fault = faultOf({ table, write }, present, evolve)
  if (fault !== undefined) return yield* failure(fault)()
  if (evolve) yield* fit(database, table, present)
  if (added.some(({ name }) => Column.named(present, name) === undefined)) yield* adopt(database, table)
  return {
    before: columnsIn(present).filter(({ name }) => Column.named(added, name) === undefined),
    written: writtenInto(table, yield* describe(database, target(table)))
  }
})

/** Why rows of this table cannot be written into the one that is there, if so. */
const faultOf = (
  { table, write }: Sink.TablePlan,
  present: ReadonlyArray<Present>,
  evolve: boolean
): string | undefined => {
  const unknown = table.columns.find(({ name }) => {
    const column = Column.named(present, name)
    return column !== undefined && column.type === undefined
  })
  if (unknown !== undefined) {
    return (
      `column ${unknown.name} of table ${table.name} is ${Column.named(present, unknown.name)?.sql} in the database, which no ` +
      `${Column.toSql(unknown.type)} of this run can become; rename one, or alter the column`
    )
  }
  const named = [...table.key, ...Object.keys(table.parent?.on ?? {})]
  const lacking =
    evolve || write === "append" ? undefined : named.find((name) => Column.named(present, name) === undefined)
  if (lacking !== undefined) {
    return `table ${table.name} of the database has no column ${lacking}, by which its rows are told apart; let it be added`
  }
  const isHistory = Sink.historyColumns.every(({ name }) => Column.named(present, name) !== undefined)
  const isForeign = Sink.historyColumns.every(({ name }) => Column.named(table.columns, name) === undefined)
  return isHistory && isForeign && write !== "scd2"
    ? `table ${table.name} of the database is a history; write it with scd2, or write another table`
    : undefined
}

/** Adds the columns that a table lacks, and widens those that are too narrow. */
const fit = Effect.fnUntraced(function* (
  database: Database.Database,
  table: Table.Table,
  present: ReadonlyArray<Present>
) {
  const pairs = table.columns.flatMap((column) => {
    const there = Column.named(present, column.name)
    return there?.type === undefined ? [] : [{ there, from: there.type, to: widen(there.type, column.type) }]
  })
  const spelled = yield* spell(
    database,
    pairs.map(({ to }) => to)
  )
  for (const [at, { there, from, to }] of pairs.entries()) {
    if (there.sql === spelled[at]) continue
    const name = Column.quote(there.name)
    const value = `CAST(${cast(name, from, to)} AS ${Column.toSql(to)})`
    yield* database.run(
      `ALTER TABLE ${target(table)} ALTER COLUMN ${name} SET DATA TYPE ${Column.toSql(to)} USING ${value}`
    )
  }
  for (const column of table.columns) {
    if (Column.named(present, column.name) !== undefined) continue
    yield* database.run(`ALTER TABLE ${target(table)} ADD COLUMN ${definition(column)}`)
  }
})

/** Makes a table the beginning of a history: its rows are the current versions, and nobody knows since when. */
const adopt = Effect.fnUntraced(function* (database: Database.Database, table: Table.Table) {
  const key = table.key.map(Column.quote).join(", ")
  const twice = `SELECT count(*) FROM ${target(table)} GROUP BY ${key} HAVING count(*) > 1 LIMIT 1`
  if ((yield* database.query(twice, [])).length > 0) {
    return yield* failure(
      `table ${table.name} of the database has several rows of one key, so it cannot become a history; keep one of each`
    )()
  }
  // Without defaults: DuckDB commits no table that was given several columns with one and was updated then.
  for (const column of Sink.historyColumns) {
    yield* database.run(`ALTER TABLE ${target(table)} ADD COLUMN ${definition(column)}`)
  }
  yield* database.run(`UPDATE ${target(table)} SET valid_from = make_timestamp(0), is_current = true`)
})

/** The columns of a run that the table has, in the run's order. */
const writtenInto = (table: Table.Table, present: ReadonlyArray<Present>): ReadonlyArray<Written> =>
  table.columns.flatMap((column) => {
    const there = Column.named(present, column.name)
    if (there?.type === undefined) return []
    return [{ name: there.name, sql: there.sql, value: cast(Column.quote(column.name), column.type, there.type) }]
  })

const definition = ({ name, type }: Column.Column): string => `${Column.quote(name)} ${Column.toSql(type)}`
