/**
 * The sink's own tables beside the rows: the checkpoint of each pipeline, its runs, their checks, and what each commit loaded.
 *
 * Guarantee: they are written in the same transaction as the rows. They are the same tables as in a DuckDB file, with the column
 * `commit_number` for the order of commits.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Checkpoint from "#engine/Checkpoint"
import * as Instant from "#engine/Instant"
import { runCounters } from "#engine/runCounters"
import * as Sink from "#engine/Sink"
import { cellReader } from "../copy/cellReader.ts"
import * as Place from "../Place.ts"
import type { Connection, TextRow } from "../server/Connection.ts"
import * as catalog from "../server/catalog.ts"

/** Creates the schema and the tables if they are missing. */
export const prepare = Effect.fnUntraced(function* (connection: Connection, place: Place.DatabaseLocation) {
  const [there] = yield* connection.rows("SELECT 1 AS one FROM pg_namespace WHERE nspname = $1", [place.schema])
  // A user without the right to create schemas may still write into an existing one.
  if (there === undefined) yield* connection.run(`CREATE SCHEMA IF NOT EXISTS ${Place.schemaOf(place)}`)
  for (const [name, columns] of Object.entries(tables)) {
    if (yield* catalog.has(connection, place, name)) continue
    yield* connection.run(
      `CREATE TABLE ${Place.named(place, name)} (${columns}, commit_number bigint GENERATED ALWAYS AS IDENTITY)`
    )
  }
})

const stateName = "_millrace_state"
const runsName = "_millrace_runs"
const loadsName = "_millrace_loads"
const checksName = "_millrace_checks"

const moment = "timestamp with time zone NOT NULL"
const tables = {
  [stateName]: `pipeline text NOT NULL, run_id text NOT NULL, state json NOT NULL, committed_at ${moment}`,
  [runsName]: `run_id text NOT NULL, pipeline text NOT NULL, started_at ${moment}, committed_at ${moment},
    facts json NOT NULL, "rows" json NOT NULL, status text, ${runCounters.map(({ name }) => `${name} bigint`).join(", ")}, once text`,
  [loadsName]: `run_id text NOT NULL, table_name text NOT NULL, "rows" bigint NOT NULL, "write" text NOT NULL,
    committed_at ${moment}`,
  [checksName]: `run_id text NOT NULL, check_name text NOT NULL, table_name text NOT NULL, passed boolean NOT NULL,
    found text NOT NULL, committed_at ${moment}`
}

/** The checkpoint of the last commit of a pipeline. */
export const resume = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.DatabaseLocation,
  pipeline: string
) {
  if (!(yield* catalog.has(connection, place, stateName))) return Option.none<Checkpoint.Stored>()
  const [row] = yield* connection.rows(
    `SELECT run_id, state FROM ${Place.named(place, stateName)} WHERE pipeline = $1`,
    [pipeline]
  )
  return row === undefined
    ? Option.none<Checkpoint.Stored>()
    : Option.some<Checkpoint.Stored>({ runId: row["run_id"] ?? "", state: JSON.parse(row["state"] ?? "null") })
})

/** The records of all committed runs, in the order of their last commits. */
export const runs = Effect.fnUntraced(function* (connection: Connection, place: Place.DatabaseLocation) {
  if (!(yield* catalog.has(connection, place, runsName))) return []
  const rows = yield* connection.rows(`${selected(place)} ORDER BY commit_number`)
  return yield* Effect.forEach(rows, decodeRun)
})

/** The last run of a pipeline under a caller's key. */
export const ranOnce = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.DatabaseLocation,
  { once, pipeline }: Sink.OnceKey
) {
  if (!(yield* catalog.has(connection, place, runsName))) return Option.none<Sink.RunRecord>()
  const [row] = yield* connection.rows(
    `${selected(place)} WHERE pipeline = $1 AND once = $2 ORDER BY committed_at DESC, commit_number DESC LIMIT 1`,
    [pipeline, once]
  )
  return row === undefined ? Option.none<Sink.RunRecord>() : Option.some(yield* decodeRun(row))
})

const selected = (place: Place.DatabaseLocation): string =>
  `SELECT run_id, pipeline, started_at, committed_at, facts, "rows", once FROM ${Place.named(place, runsName)}`

const counts = Schema.Record(Schema.String, Schema.Finite)
const decodeCounts = Schema.decodeUnknownEffect(Schema.fromJsonString(counts))
const microsOf = cellReader({ _tag: "TIMESTAMP" })

const decodeRun = Effect.fnUntraced(function* (row: TextRow) {
  const once = row["once"] ?? null
  const run: Sink.RunRecord = {
    runId: row["run_id"] ?? "",
    pipeline: row["pipeline"] ?? "",
    // The reader of moments gives bigints.
    startedAt: BigInt(String(microsOf(row["started_at"] ?? null))),
    committedAt: BigInt(String(microsOf(row["committed_at"] ?? null))),
    facts: yield* decodeCounts(row["facts"]),
    rows: yield* decodeCounts(row["rows"]),
    ...(once === null ? {} : { once })
  }
  return run
})

/** Records a commit: the checkpoint, the run, its checks, and a row for each table. */
export const record = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.DatabaseLocation,
  plan: Sink.Plan,
  { checkpoint, run, checks }: Sink.Commit,
  results: Readonly<Record<string, Sink.TableResult>>
) {
  const insert = (name: string, row: Readonly<Record<string, string | bigint | boolean | null>>) =>
    connection.run(
      `INSERT INTO ${Place.named(place, name)} (${Object.keys(row)
        .map((column) => `"${column}"`)
        .join(", ")}) VALUES (${Object.keys(row)
        .map((_, at) => `$${at + 1}`)
        .join(", ")})`,
      Object.values(row)
    )
  const committed_at = Instant.textOf(run.committedAt)
  yield* connection.run(`DELETE FROM ${Place.named(place, stateName)} WHERE pipeline = $1`, [plan.pipeline])
  const state = JSON.stringify(checkpoint.state ?? null)
  yield* insert(stateName, { pipeline: plan.pipeline, run_id: checkpoint.runId, state, committed_at })
  yield* connection.run(`DELETE FROM ${Place.named(place, runsName)} WHERE run_id = $1`, [run.runId])
  yield* insert(runsName, {
    run_id: run.runId,
    pipeline: run.pipeline,
    started_at: Instant.textOf(run.startedAt),
    committed_at,
    facts: JSON.stringify(run.facts),
    rows: JSON.stringify(run.rows),
    status: Sink.isUnfinished(run) ? "reading" : "done",
    once: run.once ?? null,
    ...Object.fromEntries(runCounters.map(({ fact, name }) => [name, wholeOf(run.facts[fact])]))
  })
  yield* connection.run(`DELETE FROM ${Place.named(place, checksName)} WHERE run_id = $1`, [run.runId])
  for (const { check, found, passed, table } of checks) {
    yield* insert(checksName, {
      run_id: run.runId,
      check_name: withoutNul(check),
      table_name: table,
      passed,
      found: withoutNul(found),
      committed_at
    })
  }
  for (const { table, write } of plan.tables) {
    const rows = BigInt(results[table.name]?.written ?? 0)
    yield* insert(loadsName, { run_id: run.runId, table_name: table.name, rows, write, committed_at })
  }
})

const wholeOf = (count: number | undefined): bigint | null =>
  count !== undefined && Number.isSafeInteger(count) ? BigInt(count) : null

/** The result of a check may quote a value with U+0000, which Postgres cannot store, so it is written as text. */
const withoutNul = (text: string): string => text.replaceAll("\0", "\\u0000")
