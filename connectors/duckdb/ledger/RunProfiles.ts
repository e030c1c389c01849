/**
 * The profiles of columns: `_millrace_profiles`, one row per run and column.
 *
 * Guarantee: they are written in the transaction of the rows that they describe. A file of an older version gets the table
 * with its next commit, and its older runs have no profiles.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Column from "#engine/Column"
import { ColumnProfile } from "#engine/ColumnProfile"
import type * as Database from "#engine/Duckdb"
import type * as Sink from "#engine/Sink"
import * as Catalog from "../file/Catalog.ts"
import * as Place from "../Place.ts"

const name = "_millrace_profiles"
const checksName = "_millrace_checks"

const columns = `run_id VARCHAR NOT NULL, table_name VARCHAR NOT NULL, column_name VARCHAR NOT NULL,
  "rows" BIGINT NOT NULL, filled BIGINT NOT NULL, distinct_values BIGINT, profile JSON NOT NULL,
  committed_at TIMESTAMPTZ NOT NULL`

/** Creates the table if it is missing. */
export const prepare = (database: Database.Database, place: Place.DatabaseLocation, catalog: Catalog.Catalog) =>
  Catalog.hasTable(catalog, name)
    ? Effect.void
    : Effect.asVoid(database.run(`CREATE TABLE ${Place.named(place, name)} (${columns})`))

/** Records the profiles of a commit. They replace those of an earlier commit of the run. */
export const record = Effect.fnUntraced(function* (
  database: Database.Database,
  place: Place.DatabaseLocation,
  { profiles = [], run }: Sink.Commit
) {
  const target = Place.named(place, name)
  yield* database.run(`DELETE FROM ${target} WHERE run_id = $1`, [run.runId])
  if (profiles.length === 0) return
  yield* database.run(
    `INSERT INTO ${target}
      SELECT $1, p->>'$.table', p->>'$.column', CAST(p->'$.rows' AS BIGINT), CAST(p->'$.filled' AS BIGINT),
        TRY_CAST(p->>'$.distinct' AS BIGINT), p, make_timestamp($3::BIGINT)
      FROM (SELECT unnest(from_json($2::JSON, '["JSON"]')) AS p)`,
    [run.runId, JSON.stringify(profiles), run.committedAt]
  )
})

/** The checks and profiles of runs. A file of an older version has no profiles. */
export const details = Effect.fnUntraced(function* (
  database: Database.Database,
  place: Place.DatabaseLocation,
  runIds: ReadonlyArray<string>
) {
  const wanted = JSON.stringify(runIds)
  const ofRuns = `WHERE run_id IN (SELECT unnest(from_json($1::JSON, '["VARCHAR"]'))) ORDER BY rowid`
  const checks = (yield* Catalog.has(database, place, checksName))
    ? yield* database.query(
        `SELECT run_id, check_name, table_name, passed, found FROM ${Place.named(place, checksName)} ${ofRuns}`,
        checkColumns,
        [wanted]
      )
    : []
  const profiles = (yield* Catalog.has(database, place, name))
    ? yield* database.query(`SELECT run_id, profile FROM ${Place.named(place, name)} ${ofRuns}`, profileColumns, [
        wanted
      ])
    : []
  const decoded = yield* Effect.forEach(profiles, (row) => decode(row))
  return runIds.map(
    (runId): Sink.RunDetails => ({
      runId,
      checks: checks.filter((row) => row["run_id"] === runId).map(checkOf),
      profiles: decoded.flatMap(({ profile, run_id: id }) => (id === runId ? [profile] : []))
    })
  )
})

const decode = Schema.decodeUnknownEffect(Schema.Struct({ run_id: Schema.String, profile: ColumnProfile }))

const checkOf = (row: Readonly<Record<string, unknown>>): Sink.CheckRecord => ({
  check: String(row["check_name"]),
  table: String(row["table_name"]),
  passed: row["passed"] === true,
  found: String(row["found"])
})

const text = (name: string): Column.Column => ({ name, type: { _tag: "VARCHAR" }, nullable: false })

const checkColumns: ReadonlyArray<Column.Column> = [
  text("run_id"),
  text("check_name"),
  text("table_name"),
  { name: "passed", type: { _tag: "BOOLEAN" }, nullable: false },
  text("found")
]

const profileColumns: ReadonlyArray<Column.Column> = [
  text("run_id"),
  { name: "profile", type: { _tag: "JSON" }, nullable: false }
]
