/**
 * The owners of tables: `_millrace_tables`.
 *
 * Guarantee: a pipeline does not write a table of another pipeline, unless both share it. This is checked when the run begins,
 * and checked again and recorded in the transaction of the rows; a schema has one writer at a time, so there is no race. A
 * table that no pipeline has loaded belongs to the first that does.
 */
import * as Effect from "effect/Effect"
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
}

/** The owners of the tables in a place. Writes nothing. */
export const read = Effect.fnUntraced(function* (connection: Connection, place: Place.DatabaseLocation) {
  if (!(yield* catalog.has(connection, place, name))) return []
  const rows = yield* connection.rows(
    `SELECT table_name, pipeline, shared, first_run_id FROM ${Place.named(place, name)}`
  )
  return rows.map(
    (row): Owned => ({
      table: row["table_name"] ?? "",
      pipeline: Sink.ownerOf(row["pipeline"] ?? ""),
      shared: row["shared"] === "t",
      firstRunId: row["first_run_id"] ?? ""
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

/** Records the owner of the tables of a plan, and returns the owners before. Nothing stays without a commit. */
export const claim = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.DatabaseLocation,
  plan: Sink.Plan
) {
  const owners = yield* check(connection, place, plan)
  const target = Place.named(place, name)
  yield* connection.run(`CREATE TABLE IF NOT EXISTS ${target} (${columns})`)
  const pipeline = Sink.ownerOf(plan.pipeline)
  const whose = new Map([...owners].map(([table, owner]) => [table, owner.pipeline]))
  for (const { table } of plan.tables) {
    const there = owners.get(table.name)
    whose.set(table.name, there?.pipeline ?? pipeline)
    yield* connection.run(`DELETE FROM ${target} WHERE table_name = $1`, [table.name])
    yield* connection.run(
      `INSERT INTO ${target} (table_name, pipeline, shared, first_run_id) VALUES ($1, $2, $3, $4)`,
      [table.name, there?.pipeline ?? pipeline, plan.shared === true, there?.firstRunId ?? plan.runId]
    )
  }
  return whose
})

const name = "_millrace_tables"
const columns = "table_name text NOT NULL, pipeline text NOT NULL, shared boolean NOT NULL, first_run_id text NOT NULL"
