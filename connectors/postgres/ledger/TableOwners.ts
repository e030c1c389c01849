/**
 * Whose the tables of a place are: `_millrace_tables`.
 *
 * The law: a pipeline writes into no table of another, unless both share it. This is asked when the run begins, and asked again
 * and written down in the transaction of the rows; one writer has the schema at a time, so no race passes it. A table that no
 * pipeline ever loaded belongs to the first that does.
 */
import * as Effect from "effect/Effect"
import * as Owner from "../../../src/pipeline/Owner.ts"
import * as Sink from "../../../src/pipeline/Sink.ts"
import { failure, type ServerError } from "../failure.ts"
import type { Connection } from "../server/Connection.ts"
import * as catalog from "../server/catalog.ts"
import * as Place from "../server/Place.ts"

interface Owned {
  readonly table: string
  readonly pipeline: string
  readonly shared: boolean
  readonly firstRunId: string
}

/** The owners as the place knows them. Writes nothing. */
export const read = Effect.fnUntraced(function* (connection: Connection, place: Place.Place) {
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

/** Fails where a table of a plan is another pipeline's; the answer is whose each is. Writes nothing. */
export const check = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.Place,
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

/** Makes the tables of a plan those of its pipeline; the answer is whose each was. Nothing of it stays without a commit. */
export const claim = Effect.fnUntraced(function* (connection: Connection, place: Place.Place, plan: Sink.Plan) {
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
