/**
 * Prepares a table for a run: creates it if it is missing, and adds and widens columns if the plan says so.
 *
 * This is the first thing that a transaction does to a table, because DuckDB commits no table that was altered
 * after its rows were changed. It is rolled back with everything else.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import type * as Database from "#engine/Duckdb"
import { describe } from "#engine/describeDuckdb"
import { exactly } from "#engine/duckdbCast"
import * as Sink from "#engine/Sink"
import * as StoredTable from "#engine/StoredTable"
import type * as Table from "#engine/Table"
import { widen } from "#engine/widen"
import {
  addition,
  definition,
  isWithoutZone,
  isZoned,
  leaveZones,
  typeSql,
  withoutZones,
  withZones
} from "../columnSql.ts"
import { failure } from "../failure.ts"
import * as Catalog from "../file/Catalog.ts"
import type { Claimed } from "../ledger/TableOwners.ts"
import * as Place from "../Place.ts"
import { describeTable } from "./describeTable.ts"

/** A column that the run writes. */
export interface WrittenColumn {
  readonly name: string
  /** Its name in the table of the run, which may differ in case. */
  readonly ours: string
  /** Its type in the database. */
  readonly sql: string
  /** The SQL expression that converts a cell of the run to this type. */
  readonly value: string
}

export interface Prepared {
  /** Columns that the run does not write, so that they are null in its rows (`StoredTable.notWritten`). */
  readonly lacking: ReadonlyArray<string>
  /** Columns that no run has written: somebody else's, whose values stay. */
  readonly foreign: ReadonlyArray<string>
  /** The columns of the table before the run, without `historyColumns`; undefined: there was no table, or it gets those of the run. */
  readonly before: ReadonlyArray<Column.Column> | undefined
  readonly written: ReadonlyArray<WrittenColumn>
}

export interface Preparation {
  readonly place: Place.DatabaseLocation
  /** The catalog when the transaction began. */
  readonly catalog: Catalog.Catalog
  /** Whether descriptions are written; false if the transaction only reads. */
  readonly describes: boolean
  readonly evolve: boolean
  /** The pipeline that owns the rows from before the table had `Sink.pipelineColumn`, and the columns that runs have written. */
  readonly claimed: Claimed | undefined
}

/** Prepares the table that takes the rows of a run; for replace, a new table, which gets the name at the commit. */
export const prepareTable = Effect.fnUntraced(function* (
  database: Database.Database,
  planned: Sink.TablePlan,
  preparation: Preparation
): Effect.fn.Return<Prepared, Database.DatabaseError | Sink.SinkError> {
  const { table, write } = planned
  if (preparation.catalog.views.has(table.name.toLowerCase())) {
    return yield* failure(
      `table ${table.name}: the database has a View of this name; rename it, or write another table`
    )()
  }
  const numbered = rowNumberFault({ table, write }, table.columns)
  if (numbered !== undefined) return yield* failure(numbered)()
  const isReplaced = write === "replace"
  const isThere = Catalog.hasTable(preparation.catalog, table.name)
  const target = Place.named(preparation.place, isReplaced ? nextOf(table) : table.name)
  if (isReplaced || !isThere) {
    const columns = columnsOf({ table, write })
    const definitions = columns.map(definition).join(", ")
    yield* database.run(`CREATE ${isReplaced ? "OR REPLACE " : ""}TABLE ${target} (${definitions})`)
    if (preparation.describes) yield* describeTable(database, table, target, columns, undefined)
    const before =
      isReplaced && isThere && !preparation.evolve
        ? yield* fitTable(database, { table, write }, preparation)
        : undefined
    return { before, lacking: [], foreign: [], written: writtenColumns(table, yield* describe(database, target)) }
  }
  const before = yield* fitTable(database, { table, write }, preparation)
  const present = yield* describe(database, target)
  const { claimed } = preparation
  const isForeign = ({ name }: StoredTable.StoredColumn) => claimed?.columns.has(name.toLowerCase()) === false
  return {
    before,
    lacking: StoredTable.notWritten(
      planned,
      present.filter((column) => !isForeign(column))
    ),
    foreign: present.filter(isForeign).map(({ name }) => name),
    written: writtenColumns(table, present)
  }
})

/** Changes an existing table so that it takes the rows of a run, and returns the columns that it had before. */
export const fitTable = Effect.fnUntraced(function* (
  database: Database.Database,
  { table, write }: Sink.TablePlan,
  { catalog, claimed, describes, evolve, place }: Preparation
): Effect.fn.Return<ReadonlyArray<Column.Column>, Database.DatabaseError | Sink.SinkError> {
  const target = Place.named(place, table.name)
  const present = yield* describe(database, target)
  const fault =
    rowNumberFault({ table, write }, present) ??
    StoredTable.fault({ table, write }, present, evolve, yield* Catalog.isEmpty(database, target))
  if (fault !== undefined) return yield* failure(fault)()
  if (evolve) yield* alter(database, target, table, present)
  const becomesHistory = write === "scd2" && !Sink.isHistory(present)
  if (becomesHistory) yield* addHistoryColumns(database, target, table)
  if (describes) {
    // A table that may not evolve may lack columns of this run.
    const there = columnsOf({ table, write }).filter(({ name }) => evolve || Column.named(present, name) !== undefined)
    yield* describeTable(database, table, target, there, catalog.tables.get(table.name.toLowerCase()))
  }
  // Rows are changed after everything that alters the table.
  const { name } = Sink.pipelineColumn
  const fresh = Column.named(table.columns, name) !== undefined && Column.named(present, name) === undefined
  if (becomesHistory) {
    yield* database.run(`UPDATE ${target} SET valid_from = make_timestamp(0), is_current = true`)
  }
  if (fresh && claimed !== undefined) yield* database.run(`UPDATE ${target} SET ${name} = $1`, [claimed.owner])
  const before = write === "scd2" ? Sink.withoutHistory(present) : present
  return before.flatMap(({ name, nullable, type }) => (type === undefined ? [] : [{ name, type, nullable }]))
})

/**
 * Why rows cannot be distinguished: a column hides DuckDB's rowid, and its values are not unique. Undefined: they can.
 */
const rowNumberFault = (
  { table, write }: Sink.TablePlan,
  columns: ReadonlyArray<{ readonly name: string }>
): string | undefined => {
  const taken = write === "append" ? undefined : Column.named(columns, "rowid")
  return (
    taken &&
    `table ${table.name} has a column ${taken.name}, by which DuckDB numbers its rows for ${write}; rename it, or append`
  )
}

/** The columns of a table, with `historyColumns` for scd2. */
const columnsOf = ({ table, write }: Sink.TablePlan): ReadonlyArray<Column.Column> =>
  write === "scd2" ? [...table.columns, ...Sink.historyColumns] : table.columns

/** The name of the new table until it replaces the old one. */
export const nextOf = ({ name }: Table.Table): string => `_millrace_next_${name}`

/** Adds missing columns, widens columns that are too narrow, and drops NOT NULL from columns that the run may leave null. */
const alter = Effect.fnUntraced(function* (
  database: Database.Database,
  target: string,
  table: Table.Table,
  present: ReadonlyArray<StoredTable.StoredColumn>
) {
  const pairs = table.columns.flatMap((column) => {
    const there = Column.named(present, column.name)
    return there?.type === undefined ? [] : [{ there, from: there.type, to: widen(there.type, column.type) }]
  })
  const spelled = yield* Catalog.spell(
    database,
    pairs.map(({ to }) => to)
  )
  for (const [at, { there, from, to }] of pairs.entries()) {
    if (withoutZones(there.sql) === spelled[at]) continue
    const name = Column.quote(there.name)
    const type = isWithoutZone(there.sql) ? Column.toSql(to) : typeSql(to)
    const wide = exactly(there.name, plain(there), from, to)
    const value = isWithoutZone(there.sql) ? `CAST(${wide} AS ${type})` : `CAST(${withZones(wide, to)} AS ${type})`
    yield* database.run(`ALTER TABLE ${target} ALTER COLUMN ${name} SET DATA TYPE ${type} USING ${value}`)
  }
  for (const name of StoredTable.tooStrict(table, present)) {
    yield* database.run(`ALTER TABLE ${target} ALTER COLUMN ${Column.quote(name)} DROP NOT NULL`)
  }
  for (const column of table.columns) {
    if (Column.named(present, column.name) !== undefined) continue
    yield* database.run(`ALTER TABLE ${target} ADD COLUMN ${addition(column)}`)
  }
})

/** A column with points in time without zones, so that their text stays the same when it is widened to text. */
const plain = ({ name, sql, type }: StoredTable.StoredColumn): string => {
  if (type === undefined || !sql.includes("WITH TIME ZONE")) return Column.quote(name)
  return isZoned(sql) ? leaveZones(Column.quote(name), type) : `CAST(${Column.quote(name)} AS ${Column.toSql(type)})`
}

/** Adds the columns of a history, if every key has one row. `fitTable` then makes the rows the current versions. */
const addHistoryColumns = Effect.fnUntraced(function* (
  database: Database.Database,
  target: string,
  table: Table.Table
) {
  const key = table.key.map(Column.quote).join(", ")
  const twice = `SELECT count(*) FROM ${target} GROUP BY ${key} HAVING count(*) > 1 LIMIT 1`
  if ((yield* database.query(twice, [])).length > 0) {
    return yield* failure(StoredTable.repeatedKeys(table))()
  }
  // Without defaults: DuckDB cannot commit a table that got several columns with defaults and was then updated.
  for (const column of Sink.historyColumns) {
    yield* database.run(`ALTER TABLE ${target} ADD COLUMN ${addition(column)}`)
  }
})

/** The columns of a run that the table has, in the order of the run. */
export const writtenColumns = (
  table: Table.Table,
  present: ReadonlyArray<StoredTable.StoredColumn>
): ReadonlyArray<WrittenColumn> =>
  table.columns.flatMap((column) => {
    const there = Column.named(present, column.name)
    if (there?.type === undefined) return []
    const { name, sql, type } = there
    const value = exactly(column.name, Column.quote(column.name), column.type, type)
    return [{ name, ours: column.name, sql, value: isZoned(sql) ? withZones(value, type) : value }]
  })
