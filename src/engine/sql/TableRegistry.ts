/**
 * The owners of tables and the registries of their columns (`_millrace_tables`), and the types of those columns
 * (`_millrace_columns`, or comments).
 *
 * A column that no run has written is somebody else's: `ALTER TABLE pages ADD COLUMN note TEXT`. A column has the type of the
 * registry while the database spells its type as the dialect does for it; one that was altered by hand has its new type.
 *
 * Guarantee: a pipeline does not write a table of another pipeline, unless both share it. This is checked when the run begins,
 * and checked again and recorded in the transaction of the rows.
 */
import * as Effect from "effect/Effect"
import * as Column from "../Column.ts"
import * as ColumnRegistry from "../ColumnRegistry.ts"
import type { SinkError } from "../Commit.ts"
import { columnFromSql } from "../columnFromSql.ts"
import * as Owner from "../Owner.ts"
import * as Sink from "../Sink.ts"
import * as Comments from "./comments.ts"
import * as LedgerTable from "./LedgerTable.ts"
import * as Receipts from "./Receipts.ts"
import { type Described, type DescribedColumn, refused, type SqlDatabase } from "./SqlDatabase.ts"

const tablesTable = LedgerTable.of("_millrace_tables", {
  table_name: "VARCHAR NOT NULL",
  pipeline: "VARCHAR NOT NULL",
  shared: "BOOLEAN NOT NULL",
  first_run_id: "VARCHAR NOT NULL",
  columns: "VARCHAR"
})
const columnsTable = LedgerTable.of("_millrace_columns", {
  table_name: "VARCHAR NOT NULL",
  column_name: "VARCHAR NOT NULL",
  type: "VARCHAR NOT NULL",
  description: "VARCHAR"
})

export const tableNames = [tablesTable.name, columnsTable.name]

interface Owned {
  readonly table: string
  readonly pipeline: string
  readonly shared: boolean
  readonly firstRunId: string
  /** The registry of its columns; undefined: it was not recorded. */
  readonly registry: string | undefined
}

/** What a run must know of a table that it writes. */
export interface Claimed {
  readonly owner: string
  /** The columns that runs have written, this one included, in lower case. */
  readonly columns: ReadonlySet<string>
  /** Those that earlier runs have written. */
  readonly before: ReadonlySet<string>
  readonly registry: ColumnRegistry.Registry
}

/** The owners of all tables: as they are recorded, or as the loads of a version that did not record them say. */
export const owners = Effect.fnUntraced(function* (
  database: SqlDatabase
): Effect.fn.Return<ReadonlyArray<Owned>, SinkError> {
  const rows = yield* LedgerTable.select(database, tablesTable, "")
  if (rows.length === 0 && !(yield* isRecorded(database))) {
    return Array.from(yield* Receipts.firstLoads(database), ([table, { pipeline, runId }]) => ({
      table,
      pipeline: Sink.ownerOf(pipeline),
      shared: false,
      firstRunId: runId,
      registry: undefined
    }))
  }
  return rows.map((row) => ({
    table: String(row["table_name"]),
    pipeline: Sink.ownerOf(String(row["pipeline"])),
    shared: row["shared"] === true,
    firstRunId: String(row["first_run_id"]),
    registry: typeof row["columns"] === "string" ? row["columns"] : undefined
  }))
})

const isRecorded = (database: SqlDatabase): Effect.Effect<boolean, SinkError> =>
  database.prepared.has(tablesTable.name)
    ? Effect.succeed(true)
    : Effect.map(database.describe(tablesTable.name), (there) => there !== undefined)

/** Fails if a table of a plan belongs to another pipeline, and returns the owners by table (`Spelling.fold`). Writes nothing. */
export const check = Effect.fnUntraced(function* (
  database: SqlDatabase,
  plan: Sink.Plan
): Effect.fn.Return<ReadonlyMap<string, Owned>, SinkError> {
  const { fold } = database.spelling
  const known = new Map((yield* owners(database)).map((owned) => [fold(owned.table), owned]))
  const held = (table: string): Owner.Held | undefined => {
    const there = known.get(fold(table))
    return there && { owner: there.pipeline, shared: there.shared, canBecomeShared: true }
  }
  const { spoken = (table: string) => table } = database.dialect
  const fault = Owner.fault(plan, database.location, held, {
    tableName: spoken,
    recordedIn: spoken(tablesTable.name)
  })
  return fault === undefined ? known : yield* refused(database, fault)
})

/**
 * The same plan, with the names that the columns have in the database, and the tables of lists that the run lacks. It fails if a table belongs to another pipeline, or if a newer
 * version of Millrace wrote there. Writes nothing.
 */
export const named = Effect.fnUntraced(function* (
  database: SqlDatabase,
  plan: Sink.Plan
): Effect.fn.Return<Sink.Plan, SinkError> {
  const known = yield* check(database, plan)
  const recorded = (table: string) => ColumnRegistry.decode(known.get(database.spelling.fold(table))?.registry)
  const tables = ColumnRegistry.withListNames(plan.tables, recorded)
  const registries = new Map<string, ColumnRegistry.Registry>()
  for (const { table } of [...plan.tables, ...tables]) {
    const there = known.get(database.spelling.fold(table.name))
    const fault = ColumnRegistry.versionFault(table.name, there?.registry)
    if (fault !== undefined) return yield* refused(database, fault)
    registries.set(table.name, yield* registryOf(database, table.name, there))
  }
  const named = ColumnRegistry.named({ ...plan, tables }, (table) => registries.get(table))
  const lists: Array<ColumnRegistry.Stored> = []
  for (const { registry: text, table: name } of known.values()) {
    const registry = ColumnRegistry.decode(text) ?? []
    if (!ColumnRegistry.isLacking(named, { name, registry })) continue
    lists.push({ name, columns: (yield* describe(database, name))?.columns ?? [], registry })
  }
  return ColumnRegistry.withLists(named, lists)
})

/** The registry of a table; if it was not recorded, of the columns that the table has. */
const registryOf = (database: SqlDatabase, table: string, there: Owned | undefined) => {
  const registry = ColumnRegistry.decode(there?.registry)
  return registry === undefined
    ? Effect.map(database.describe(table), ColumnRegistry.ofTable)
    : Effect.succeed(registry)
}

/** What is known of the tables of a plan once they are written by it, by table. Writes nothing. */
export const claims = Effect.fnUntraced(function* (
  database: SqlDatabase,
  plan: Sink.Plan
): Effect.fn.Return<ReadonlyMap<string, Claimed>, SinkError> {
  const known = yield* check(database, plan)
  const claimed = new Map<string, Claimed>()
  for (const planned of plan.tables) {
    const name = database.spelling.fold(planned.table.name)
    const there = known.get(name)
    const before = yield* registryOf(database, planned.table.name, there)
    const registry = ColumnRegistry.after(planned, before, plan)
    const namesIn = (of: ColumnRegistry.Registry) => new Set(of.map((column) => column.name.toLowerCase()))
    claimed.set(name, {
      owner: there?.pipeline ?? Sink.ownerOf(plan.pipeline),
      columns: namesIn(registry),
      before: namesIn(before),
      registry
    })
  }
  return claimed
})

/** Creates the tables of the registry. The owners that are known without it are recorded. */
export const prepare = Effect.fnUntraced(function* (database: SqlDatabase): Effect.fn.Return<void, SinkError> {
  const known = (yield* isRecorded(database)) ? [] : yield* owners(database)
  const own = database.dialect.comments === undefined ? [tablesTable, columnsTable] : [tablesTable]
  yield* LedgerTable.prepare(database, own)
  yield* LedgerTable.insert(
    database,
    tablesTable,
    known.map(({ firstRunId, pipeline, shared, table }) => ({
      table_name: table,
      pipeline,
      shared,
      first_run_id: firstRunId,
      columns: null
    }))
  )
})

/** Records the tables of a plan: their owner, and the columns of theirs that runs have written. */
export const record = Effect.fnUntraced(function* (
  database: SqlDatabase,
  plan: Sink.Plan,
  claimed: ReadonlyMap<string, Claimed>
): Effect.fn.Return<void, SinkError> {
  const known = yield* check(database, plan)
  for (const { table } of plan.tables) {
    const name = database.spelling.fold(table.name)
    const there = known.get(name)
    const { owner = Sink.ownerOf(plan.pipeline), registry = [] } = claimed.get(name) ?? {}
    const row = {
      table_name: there?.table ?? table.name,
      pipeline: owner,
      shared: plan.shared === true,
      first_run_id: there?.firstRunId ?? plan.runId,
      columns: ColumnRegistry.encode(registry)
    }
    yield* LedgerTable.remove(database, tablesTable, "table_name", row.table_name)
    yield* LedgerTable.insert(database, tablesTable, [row])
  }
})

const descriptions = (database: SqlDatabase, table: string) =>
  Effect.map(
    LedgerTable.select(database, columnsTable, `WHERE table_name = ${database.spelling.literal(table)}`),
    (rows) =>
      new Map(
        rows.flatMap((row) =>
          row["description"] === null
            ? []
            : [[String(row["column_name"]).toLowerCase(), String(row["description"])] as const]
        )
      )
  )

/** Records the type that columns have from now on, before `describe` is asked for them. */
export const retype = Effect.fnUntraced(function* (
  database: SqlDatabase,
  table: string,
  columns: ReadonlyArray<Pick<Column.Column, "name" | "type" | "description">>,
  made?: { readonly description: string }
): Effect.fn.Return<void, SinkError> {
  if (database.dialect.comments !== undefined) return yield* Comments.note(database, table, columns, made)
  const { literal, table: named } = database.spelling
  const described = yield* descriptions(database, table)
  const names = columns.map(({ name }) => literal(name.toLowerCase())).join(", ")
  if (columns.length === 0) return
  yield* database.run(
    `DELETE FROM ${named(columnsTable.name)} WHERE lower(table_name) = ${literal(table.toLowerCase())} AND lower(column_name) IN (${names})`
  )
  yield* LedgerTable.insert(
    database,
    columnsTable,
    columns.map(({ description, name, type }) => ({
      table_name: table,
      column_name: name,
      type: Column.toSql(type),
      description: described.get(name.toLowerCase()) ?? description ?? null
    }))
  )
})

/** The columns of a table with their types; undefined: there is no such table. */
export const describe = Effect.fnUntraced(function* (
  database: SqlDatabase,
  table: string
): Effect.fn.Return<Described | undefined, SinkError> {
  const there = yield* database.describe(table)
  if (there === undefined) return undefined
  if (database.dialect.comments !== undefined) {
    return { ...there, columns: there.columns.map((column) => Comments.typed(database.dialect, column)) }
  }
  const name = database.spelling.literal(table.toLowerCase())
  const rows = yield* LedgerTable.select(database, columnsTable, `WHERE lower(table_name) = ${name}`)
  const types = new Map(
    rows.map((row) => [String(row["column_name"]).toLowerCase(), columnFromSql(String(row["type"]))] as const)
  )
  const typed = (column: DescribedColumn): DescribedColumn => {
    const known = types.get(column.name.toLowerCase())
    const isThat = known !== undefined && sameSql(database.dialect.type(known, column.sql), column.sql)
    return isThat ? { ...column, type: known } : column
  }
  return { ...there, columns: there.columns.map(typed) }
})

/** Whether two spellings of a type are one, but for case, blanks and quotes. */
export const sameSql = (one: string, other: string): boolean => plainSql(one) === plainSql(other)

/** A type without what may be spelled in another way. */
export const plainSql = (sql: string): string => sql.toLowerCase().replace(/[\s"]+/g, "")
