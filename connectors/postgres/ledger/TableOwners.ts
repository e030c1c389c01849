/**
 * The owners of tables, and the registries of their columns: `_millrace_tables`.
 *
 * A column that no run has written is somebody else's: `ALTER TABLE pages ADD COLUMN note text`. Of a table that had no such
 * record, all columns that are there count as written.
 *
 * Guarantee: a pipeline does not write a table of another pipeline, unless both share it. This is checked when the run begins,
 * and checked again and recorded in the transaction of the rows; a schema has one writer at a time, so there is no race. A
 * table that no pipeline has loaded belongs to the first that does.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as ColumnRegistry from "#engine/ColumnRegistry"
import * as Owner from "#engine/Owner"
import * as Sink from "#engine/Sink"
import { failure, type ServerError } from "../failure.ts"
import * as Place from "../Place.ts"
import type { Connection } from "../server/Connection.ts"
import * as catalog from "../server/catalog.ts"

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
  /** The columns that runs have written, this one included. */
  readonly columns: ReadonlySet<string>
}

/** The owners of the tables in a place. Writes nothing. */
export const read = Effect.fnUntraced(function* (connection: Connection, place: Place.DatabaseLocation) {
  if (!(yield* catalog.has(connection, place, name))) return []
  // An older one has no record of columns.
  const rows = yield* connection.rows(`SELECT * FROM ${Place.named(place, name)}`)
  return rows.map(
    (row): Owned => ({
      table: row["table_name"] ?? "",
      pipeline: Sink.ownerOf(row["pipeline"] ?? ""),
      shared: row["shared"] === "t",
      firstRunId: row["first_run_id"] ?? "",
      registry: row["columns"] ?? undefined
    })
  )
})

/** Returns the owners of tables, and fails if a table of a plan belongs to another pipeline. Writes nothing. */
export const check = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.DatabaseLocation,
  plan: Sink.Plan
): Effect.fn.Return<ReadonlyMap<string, Owned>, ServerError | Sink.SinkError> {
  const owners = new Map((yield* read(connection, place)).map((owner) => [owner.table, owner]))
  const held = (table: string): Owner.Held | undefined => {
    const there = owners.get(table)
    return there && { owner: there.pipeline, shared: there.shared, canBecomeShared: true }
  }
  const fault = Owner.fault(plan, place.location, held, { recordedIn: Place.spoken(place, name) })
  return fault === undefined ? owners : yield* failure(fault)()
})

/**
 * The same plan, with the names that the columns have in the database. It fails if a table belongs to another pipeline, or if a newer
 * version of Millrace wrote there. Writes nothing.
 */
export const named = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.DatabaseLocation,
  plan: Sink.Plan
): Effect.fn.Return<Sink.Plan, ServerError | Sink.SinkError> {
  const owners = yield* check(connection, place, plan)
  const registries = new Map<string, ColumnRegistry.Registry>()
  for (const { table } of plan.tables) {
    const { registry } = owners.get(table.name) ?? {}
    const fault = ColumnRegistry.versionFault(table.name, registry)
    if (fault !== undefined) return yield* failure(fault)()
    registries.set(table.name, yield* registryOf(connection, place, table.name, registry))
  }
  return ColumnRegistry.named(plan, (table) => registries.get(table))
})

/** The registry of a table; if it was not recorded, of the columns that the table has. */
const registryOf = (connection: Connection, place: Place.DatabaseLocation, table: string, text: string | undefined) => {
  const registry = ColumnRegistry.decode(text)
  return registry === undefined
    ? Effect.map(catalog.describe(connection, place, table), (columns) => ColumnRegistry.ofTable({ columns }))
    : Effect.succeed(registry)
}

/** Records the owner of the tables of a plan with the columns that it writes, and returns both. Nothing stays without a commit. */
export const claim = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.DatabaseLocation,
  plan: Sink.Plan
): Effect.fn.Return<ReadonlyMap<string, Claimed>, ServerError | Sink.SinkError> {
  const owners = yield* check(connection, place, plan)
  const target = Place.named(place, name)
  yield* connection.run(`CREATE TABLE IF NOT EXISTS ${target} (${columns})`)
  if (Column.named(yield* catalog.describe(connection, place, name), "columns") === undefined) {
    yield* connection.run(`ALTER TABLE ${target} ADD COLUMN "columns" text`)
  }
  const pipeline = Sink.ownerOf(plan.pipeline)
  const claimed = new Map<string, Claimed>()
  for (const planned of plan.tables) {
    const { table } = planned
    const there = owners.get(table.name)
    const owner = there?.pipeline ?? pipeline
    const before = yield* registryOf(connection, place, table.name, there?.registry)
    const registry = ColumnRegistry.after(planned, before, plan.runId)
    claimed.set(table.name, { owner, columns: new Set(registry.map(({ name }) => name)) })
    yield* connection.run(`DELETE FROM ${target} WHERE table_name = $1`, [table.name])
    yield* connection.run(
      `INSERT INTO ${target} (table_name, pipeline, shared, first_run_id, "columns") VALUES ($1, $2, $3, $4, $5)`,
      [table.name, owner, plan.shared === true, there?.firstRunId ?? plan.runId, ColumnRegistry.encode(registry)]
    )
  }
  return claimed
})

const name = "_millrace_tables"
const columns =
  'table_name text NOT NULL, pipeline text NOT NULL, shared boolean NOT NULL, first_run_id text NOT NULL, "columns" text'
