/**
 * The profiles of columns: `_millrace_profiles`, one row per run and column. Profiles and checks are what the sink keeps of a
 * run beside its record.
 *
 * Guarantee: they are written in the transaction of the rows that they describe.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ColumnProfile } from "#engine/ColumnProfile"
import * as Instant from "#engine/Instant"
import type * as Sink from "#engine/Sink"
import * as Place from "../Place.ts"
import type { Connection, TextRow } from "../server/Connection.ts"
import * as catalog from "../server/catalog.ts"

const name = "_millrace_profiles"
const checksName = "_millrace_checks"

const columns = `run_id text NOT NULL, table_name text NOT NULL, column_name text NOT NULL, "rows" bigint NOT NULL,
  filled bigint NOT NULL, distinct_values bigint, profile json NOT NULL, committed_at timestamp with time zone NOT NULL,
  commit_number bigint GENERATED ALWAYS AS IDENTITY`

/** Records the profiles of a commit. They replace those of an earlier commit of the run. */
export const record = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.DatabaseLocation,
  { profiles = [], run }: Sink.Commit
) {
  const target = Place.named(place, name)
  if (!(yield* catalog.has(connection, place, name))) yield* connection.run(`CREATE TABLE ${target} (${columns})`)
  yield* connection.run(`DELETE FROM ${target} WHERE run_id = $1`, [run.runId])
  if (profiles.length === 0) return
  yield* connection.run(
    `INSERT INTO ${target} (run_id, table_name, column_name, "rows", filled, distinct_values, profile, committed_at)
      SELECT $1, p.of_table, p.of_column, p.all_rows, p.filled, NULLIF(p.differ, -1), p.profile::json, $2
      FROM unnest($3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[])
        WITH ORDINALITY AS p(of_table, of_column, all_rows, filled, differ, profile, at) ORDER BY p.at`,
    [
      run.runId,
      Instant.textOf(run.committedAt),
      profiles.map(({ table }) => table),
      profiles.map(({ column }) => column),
      profiles.map(({ rows }) => BigInt(rows)),
      profiles.map(({ filled }) => BigInt(filled)),
      profiles.map(({ distinct }) => BigInt(distinct ?? -1)),
      // Stored as JSON text and never parsed in SQL, because Postgres cannot parse JSON with an escaped U+0000.
      profiles.map((profile) => JSON.stringify(profile))
    ]
  )
})

/** The checks and profiles of runs. */
export const details = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.DatabaseLocation,
  runIds: ReadonlyArray<string>
) {
  const rowsOf = Effect.fnUntraced(function* (table: string, selected: string) {
    if (!(yield* catalog.has(connection, place, table))) return []
    return yield* connection.rows(
      `SELECT run_id, ${selected} FROM ${Place.named(place, table)} WHERE run_id = ANY($1::text[]) ORDER BY commit_number`,
      [[...runIds]]
    )
  })
  const checks = yield* rowsOf(checksName, "check_name, table_name, passed, found")
  const profiles = yield* Effect.forEach(yield* rowsOf(name, "profile"), (row) => decode(row))
  return runIds.map(
    (runId): Sink.RunDetails => ({
      runId,
      checks: checks.filter((row) => row["run_id"] === runId).map(checkOf),
      profiles: profiles.flatMap(({ profile, run_id: id }) => (id === runId ? [profile] : []))
    })
  )
})

const decode = Schema.decodeUnknownEffect(
  Schema.Struct({ run_id: Schema.String, profile: Schema.fromJsonString(ColumnProfile) })
)

const checkOf = (row: TextRow): Sink.CheckRecord => ({
  check: row["check_name"] ?? "",
  table: row["table_name"] ?? "",
  passed: row["passed"] === "t",
  found: row["found"] ?? ""
})
