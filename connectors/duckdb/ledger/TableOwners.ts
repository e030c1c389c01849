/**
 * The owners of tables, and the registries of their columns: `_millrace_tables`.
 *
 * A column that no run has written is somebody else's: `ALTER TABLE pages ADD COLUMN note VARCHAR`. Of a table that had no such
 * record, all columns that are there count as written.
 *
 * Guarantee: a pipeline does not write a table of another pipeline, unless both share it. This is checked and recorded in the
 * transaction of the rows, and only one process can have the file open, so there is no race. A table without a recorded owner
 * belongs to the first pipeline that loaded it, or to the first that will.
 */
import * as Effect from "effect/Effect"
import type * as Column from "#engine/Column"
import * as ColumnRegistry from "#engine/ColumnRegistry"
import * as Database from "#engine/Duckdb"
import * as Owner from "#engine/Owner"
import * as Sink from "#engine/Sink"
import { failure } from "../failure.ts"
import * as Catalog from "../file/Catalog.ts"
import * as Place from "../Place.ts"

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
}

/** The owners of the tables in a place. Writes nothing. */
export const read = (database: Database.Database, place: Place.DatabaseLocation) =>
  Effect.flatMap(Catalog.read(database, place), (catalog) => readFrom(database, place, catalog))

/** The owners from the table, or, if it does not exist yet, from the runs. The first claim records the owners of all tables. */
const readFrom = (database: Database.Database, place: Place.DatabaseLocation, catalog: Catalog.Catalog) =>
  Catalog.hasTable(catalog, name)
    ? Effect.map(
        database.query(
          `SELECT table_name, pipeline, shared, first_run_id,
            ${Catalog.hasColumn(catalog, name, columnsColumn) ? `"${columnsColumn}"` : "NULL::VARCHAR"} AS written
            FROM ${Place.named(place, name)}`,
          recorded
        ),
        (rows) => rows.map(ownedOf)
      )
    : fromBefore(database, place, catalog)

/**
 * Records the pipeline of a plan as the owner of its tables, with the columns that it writes, and returns what is known of them. It
 * fails if a table belongs to another pipeline. Nothing stays unless the transaction is committed.
 */
export const claim = Effect.fnUntraced(function* (
  database: Database.Database,
  { catalog, place }: { readonly catalog: Catalog.Catalog; readonly place: Place.DatabaseLocation },
  plan: Sink.Plan,
  file: string
): Effect.fn.Return<ReadonlyMap<string, Claimed>, Database.DatabaseError | Sink.SinkError> {
  const known = yield* readFrom(database, place, catalog)
  const owners = new Map(known.map((owner) => [owner.table.toLowerCase(), owner]))
  const shared = plan.shared === true
  const held = (table: string): Owner.Held | undefined => {
    const there = owners.get(table.toLowerCase())
    return there && { owner: there.pipeline, shared: there.shared, canBecomeShared: true }
  }
  const fault = Owner.fault(plan, file, held, {
    tableName: (table) => Place.spoken(place, table),
    recordedIn: Place.spoken(place, name)
  })
  if (fault !== undefined) return yield* failure(fault)()
  const pipeline = Sink.ownerOf(plan.pipeline)
  const written = new Map<string, ColumnRegistry.Registry>()
  for (const planned of plan.tables) {
    const table = planned.table.name
    const there = owners.get(table.toLowerCase())
    const registry = ColumnRegistry.after(planned, registryIn(catalog, known, table), plan.runId)
    written.set(table.toLowerCase(), registry)
    owners.set(table.toLowerCase(), {
      ...(there ?? { table, pipeline, firstRunId: plan.runId }),
      shared,
      registry: ColumnRegistry.encode(registry)
    })
  }
  const isComplete = Catalog.hasColumn(catalog, name, columnsColumn)
  if (!isComplete || JSON.stringify([...owners.values()].map(rowOf)) !== JSON.stringify(known.map(rowOf))) {
    const target = Place.named(place, name)
    const rows = [...owners.values()].map((owner) => `(${rowOf(owner).map(Database.literal).join(", ")})`)
    yield* database.run(
      [
        `${isComplete ? "DELETE FROM" : "DROP TABLE IF EXISTS"} ${target}`,
        ...(isComplete ? [] : [`CREATE TABLE ${target} (${columns})`]),
        ...(rows.length === 0 ? [] : [`INSERT INTO ${target} VALUES ${rows.join(", ")}`])
      ].join(";\n")
    )
  }
  return new Map(
    [...owners].map(([table, { pipeline: owner }]) => {
      const names = written.get(table)?.map(({ name }) => name.toLowerCase())
      return [table, { owner, columns: new Set(names) }]
    })
  )
})

/** The same plan, with the names that the columns have in the database. It fails if a newer version of Millrace wrote there. */
export const named = Effect.fnUntraced(function* (
  database: Database.Database,
  place: Place.DatabaseLocation,
  plan: Sink.Plan
): Effect.fn.Return<Sink.Plan, Database.DatabaseError | Sink.SinkError> {
  const catalog = yield* Catalog.read(database, place)
  const known = yield* readFrom(database, place, catalog)
  const own = known.filter(({ table }) => plan.tables.some((one) => one.table.name === table))
  for (const { registry, table } of own) {
    const fault = ColumnRegistry.versionFault(table, registry)
    if (fault !== undefined) return yield* failure(fault)()
  }
  return ColumnRegistry.named(plan, (table) => registryIn(catalog, known, table))
})

/** The registry of a table; if it was not recorded, of the columns that the table has. */
const registryIn = (catalog: Catalog.Catalog, known: ReadonlyArray<Owned>, table: string): ColumnRegistry.Registry => {
  const name = table.toLowerCase()
  const registry = ColumnRegistry.decode(known.find((one) => one.table.toLowerCase() === name)?.registry)
  const columns = [...(catalog.tables.get(name)?.columns.keys() ?? [])].map((name) => ({ name }))
  return ColumnRegistry.ofTable({ columns, registry })
}

const rowOf = ({ firstRunId, pipeline, registry, shared, table }: Owned): ReadonlyArray<string> => [
  table,
  pipeline,
  String(shared),
  firstRunId,
  registry ?? "null"
]

/** The pipeline that loaded each table first, from the records of runs; for unknown runs, the first pipeline with a checkpoint. */
const fromBefore = Effect.fnUntraced(function* (
  database: Database.Database,
  place: Place.DatabaseLocation,
  catalog: Catalog.Catalog
) {
  if (!["_millrace_loads", "_millrace_runs", "_millrace_state"].every((table) => Catalog.hasTable(catalog, table))) {
    return []
  }
  const rows = yield* database.query(
    `SELECT l.table_name, coalesce(arg_min(r.pipeline, l.rowid),
        (SELECT arg_min(pipeline, (committed_at, rowid)) FROM ${Place.named(place, "_millrace_state")})) AS pipeline,
      false AS shared, arg_min(l.run_id, l.rowid) AS first_run_id, NULL::VARCHAR AS written
      FROM ${Place.named(place, "_millrace_loads")} AS l
      LEFT JOIN ${Place.named(place, "_millrace_runs")} AS r USING (run_id)
      GROUP BY l.table_name HAVING pipeline IS NOT NULL ORDER BY min(l.rowid)`,
    recorded
  )
  return rows.map(ownedOf)
})

const ownedOf = (row: Readonly<Record<string, unknown>>): Owned => ({
  table: String(row["table_name"]),
  pipeline: Sink.ownerOf(String(row["pipeline"])),
  shared: row["shared"] === true,
  firstRunId: String(row["first_run_id"]),
  registry: typeof row["written"] === "string" ? row["written"] : undefined
})

const name = "_millrace_tables"
const columnsColumn = "columns"
const columns = `table_name VARCHAR NOT NULL, pipeline VARCHAR NOT NULL, shared BOOLEAN NOT NULL, first_run_id VARCHAR NOT NULL,
  "${columnsColumn}" VARCHAR`
const recorded: ReadonlyArray<Column.Column> = [
  { name: "table_name", type: { _tag: "VARCHAR" }, nullable: false },
  { name: "pipeline", type: { _tag: "VARCHAR" }, nullable: false },
  { name: "shared", type: { _tag: "BOOLEAN" }, nullable: false },
  { name: "first_run_id", type: { _tag: "VARCHAR" }, nullable: false },
  { name: "written", type: { _tag: "VARCHAR" }, nullable: true }
]
