/**
 * The owners of tables: `_millrace_tables`.
 *
 * Guarantee: a pipeline does not write a table of another pipeline, unless both share it. This is checked and recorded in the
 * transaction of the rows, and only one process can have the file open, so there is no race. A table without a recorded owner
 * belongs to the first pipeline that loaded it, or to the first that will.
 */
import * as Effect from "effect/Effect"
import type * as Column from "#engine/Column"
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
}

/** The owners of the tables in a place. Writes nothing. */
export const read = (database: Database.Database, place: Place.DatabaseLocation) =>
  Effect.flatMap(Catalog.read(database, place), (catalog) => readFrom(database, place, catalog))

/** The owners from the table, or, if it does not exist yet, from the runs. The first claim records the owners of all tables. */
const readFrom = (database: Database.Database, place: Place.DatabaseLocation, catalog: Catalog.Catalog) =>
  Catalog.hasTable(catalog, name)
    ? Effect.map(
        database.query(`SELECT table_name, pipeline, shared, first_run_id FROM ${Place.named(place, name)}`, recorded),
        (rows) => rows.map(ownedOf)
      )
    : fromBefore(database, place, catalog)

/**
 * Records the pipeline of a plan as the owner of its tables, and returns the owners before. It fails if a table belongs to
 * another pipeline. Nothing stays unless the transaction is committed.
 */
export const claim = Effect.fnUntraced(function* (
  database: Database.Database,
  { catalog, place }: { readonly catalog: Catalog.Catalog; readonly place: Place.DatabaseLocation },
  plan: Sink.Plan,
  file: string
) {
  const known = yield* readFrom(database, place, catalog)
  const owners = new Map(known.map((owner) => [owner.table.toLowerCase(), owner]))
  const pipeline = Sink.ownerOf(plan.pipeline)
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
  for (const { table } of plan.tables) {
    const there = owners.get(table.name.toLowerCase())
    owners.set(table.name.toLowerCase(), {
      ...(there ?? { table: table.name, pipeline, firstRunId: plan.runId }),
      shared
    })
  }
  const target = Place.named(place, name)
  const isThere = Catalog.hasTable(catalog, name)
  if (
    !isThere ||
    known.length !== owners.size ||
    known.some((owner) => owners.get(owner.table.toLowerCase())?.shared !== owner.shared)
  ) {
    const rows = [...owners.values()].map(
      ({ firstRunId, pipeline, shared, table }) =>
        `(${[table, pipeline].map(Database.literal).join(", ")}, ${shared}, ${Database.literal(firstRunId)})`
    )
    yield* database.run(
      [
        isThere ? `DELETE FROM ${target}` : `CREATE TABLE ${target} (${columns})`,
        ...(rows.length === 0 ? [] : [`INSERT INTO ${target} VALUES ${rows.join(", ")}`])
      ].join(";\n")
    )
  }
  return new Map([...owners].map(([table, owner]) => [table, owner.pipeline]))
})

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
      false AS shared, arg_min(l.run_id, l.rowid) AS first_run_id
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
  firstRunId: String(row["first_run_id"])
})

const name = "_millrace_tables"
const columns =
  "table_name VARCHAR NOT NULL, pipeline VARCHAR NOT NULL, shared BOOLEAN NOT NULL, first_run_id VARCHAR NOT NULL"
const recorded: ReadonlyArray<Column.Column> = [
  { name: "table_name", type: { _tag: "VARCHAR" }, nullable: false },
  { name: "pipeline", type: { _tag: "VARCHAR" }, nullable: false },
  { name: "shared", type: { _tag: "BOOLEAN" }, nullable: false },
  { name: "first_run_id", type: { _tag: "VARCHAR" }, nullable: false }
]
