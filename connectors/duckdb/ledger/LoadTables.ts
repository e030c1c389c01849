/**
 * The sink's own tables beside the rows: the checkpoint of each pipeline, its runs, their checks, and what each commit loaded.
 *
 * Guarantee: they are written in the same transaction as the rows. A file of an older version gets the columns that it lacks
 * with its next commit, filled from its own data.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Checkpoint from "#engine/Checkpoint"
import * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"
import { describe } from "#engine/describeDuckdb"
import { runCounters } from "#engine/runCounters"
import * as Sink from "#engine/Sink"
import * as Catalog from "../file/Catalog.ts"
import * as Place from "../Place.ts"

/** Creates missing tables, and missing columns of tables that an older version created. */
export const prepare = Effect.fnUntraced(function* (
  database: Database.Database,
  place: Place.DatabaseLocation,
  catalog: Catalog.Catalog
) {
  const runsTable = Place.named(place, runsName)
  const missing = Object.entries(tables).filter(([name]) => !Catalog.hasTable(catalog, name))
  if (missing.length > 0) {
    const making = missing.map(([name, columns]) => `CREATE TABLE ${Place.named(place, name)} (${columns})`)
    yield* database.run([`CREATE SCHEMA IF NOT EXISTS ${Place.schemaOf(place)}`, ...making].join(";\n"))
  }
  if (!Catalog.hasTable(catalog, runsName)) return
  const isLacking = ({ name }: { readonly name: string }) => !Catalog.hasColumn(catalog, runsName, name)
  const lacking = [statusColumn, onceColumn, ...counters].filter(isLacking)
  for (const { name, sql } of lacking) yield* database.run(`ALTER TABLE ${runsTable} ADD COLUMN ${name} ${sql}`)
  const known = counters.filter(isLacking).map(({ name, fact }) => `${name} = ${countOf("facts", fact)}`)
  if (lacking.includes(statusColumn)) known.push(`${statusColumn.name} = '${done}'`)
  if (known.length > 0) yield* database.run(`UPDATE ${runsTable} SET ${known.join(", ")}`)
})

const stateName = "_millrace_state"
const runsName = "_millrace_runs"
const loadsName = "_millrace_loads"
const checksName = "_millrace_checks"

const counters = runCounters.map((counter) => ({ ...counter, sql: "BIGINT" }))

/** The status of a committed run, as the command line names it: done, or reading if only parts are committed. */
const statusColumn = { name: "status", sql: "VARCHAR" }
const done = "done"
const reading = "reading"

/** The caller's key of a run. */
const onceColumn = { name: "once", sql: "VARCHAR" }

const countOf = (facts: string, fact: string): string => `TRY_CAST(json_extract(${facts}, '$."${fact}"') AS BIGINT)`

const tables = {
  [stateName]:
    "pipeline VARCHAR NOT NULL, run_id VARCHAR NOT NULL, state JSON NOT NULL, committed_at TIMESTAMPTZ NOT NULL",
  [runsName]: `run_id VARCHAR NOT NULL, pipeline VARCHAR NOT NULL, started_at TIMESTAMPTZ NOT NULL,
    committed_at TIMESTAMPTZ NOT NULL, facts JSON NOT NULL, "rows" JSON NOT NULL,
    ${[statusColumn, ...counters, onceColumn].map(({ name, sql }) => `${name} ${sql}`).join(", ")}`,
  [loadsName]: `run_id VARCHAR NOT NULL, table_name VARCHAR NOT NULL, "rows" BIGINT NOT NULL,
    "write" VARCHAR NOT NULL, committed_at TIMESTAMPTZ NOT NULL`,
  [checksName]: `run_id VARCHAR NOT NULL, check_name VARCHAR NOT NULL, table_name VARCHAR NOT NULL,
    passed BOOLEAN NOT NULL, found VARCHAR NOT NULL, committed_at TIMESTAMPTZ NOT NULL`
}

/** The checkpoint of the last commit of a pipeline. */
export const resume = (database: Database.Database, place: Place.DatabaseLocation, pipeline: string) =>
  Effect.map(
    database.query(`SELECT run_id, state FROM ${Place.named(place, stateName)} WHERE pipeline = $1`, stored, [
      pipeline
    ]),
    ([row]): Option.Option<Checkpoint.Stored> =>
      row === undefined ? Option.none() : Option.some({ runId: String(row["run_id"]), state: row["state"] })
  )

const stored: ReadonlyArray<Column.Column> = [
  { name: "run_id", type: { _tag: "VARCHAR" }, nullable: false },
  { name: "state", type: { _tag: "JSON" }, nullable: false }
]

/** The number of table loads of all commits in a place: it grows with each commit. */
export const loads = Effect.fnUntraced(function* (database: Database.Database, place: Place.DatabaseLocation) {
  if (!(yield* Catalog.has(database, place, loadsName))) return 0
  const [row] = yield* database.query(`SELECT count(*) AS n FROM ${Place.named(place, loadsName)}`, Catalog.counted)
  return Number(row?.["n"])
})

/** The records of all committed runs, in the order of their last commits. */
export const runs = Effect.fnUntraced(function* (database: Database.Database, place: Place.DatabaseLocation) {
  if (!(yield* Catalog.has(database, place, runsName))) return []
  const rows = yield* database.query(`${yield* selected(database, place)} ORDER BY rowid`, recorded)
  return yield* Effect.forEach(rows, (row) => decodeRun(row))
})

/** The last run of a pipeline under a caller's key. */
export const ranOnce = Effect.fnUntraced(function* (
  database: Database.Database,
  place: Place.DatabaseLocation,
  { once, pipeline }: Sink.OnceKey
) {
  if (!(yield* Catalog.has(database, place, runsName))) return Option.none<Sink.RunRecord>()
  const query = `SELECT * FROM (${yield* selected(database, place)}) WHERE pipeline = $1 AND once = $2 ORDER BY committed_at`
  const row = (yield* database.query(query, recorded, [pipeline, once])).at(-1)
  return row === undefined ? Option.none<Sink.RunRecord>() : Option.some(yield* decodeRun(row))
})

/** The query of the records of runs. A file of an older version has no callers' keys. */
const selected = Effect.fnUntraced(function* (database: Database.Database, place: Place.DatabaseLocation) {
  const runsTable = Place.named(place, runsName)
  const hasKeys = Column.named(yield* describe(database, runsTable), onceColumn.name) !== undefined
  const once = hasKeys ? onceColumn.name : `NULL::VARCHAR AS ${onceColumn.name}`
  return `SELECT run_id, pipeline, started_at, committed_at, facts, "rows", ${once} FROM ${runsTable}`
})

const recorded: ReadonlyArray<Column.Column> = [
  { name: "run_id", type: { _tag: "VARCHAR" }, nullable: false },
  { name: "pipeline", type: { _tag: "VARCHAR" }, nullable: false },
  { name: "started_at", type: { _tag: "TIMESTAMP" }, nullable: false },
  { name: "committed_at", type: { _tag: "TIMESTAMP" }, nullable: false },
  { name: "facts", type: { _tag: "JSON" }, nullable: false },
  { name: "rows", type: { _tag: "JSON" }, nullable: false },
  { name: "once", type: { _tag: "VARCHAR" }, nullable: true }
]

const counts = Schema.Record(Schema.String, Schema.Finite)
const decodeRow = Schema.decodeUnknownEffect(
  Schema.toType(
    Schema.Struct({
      run_id: Schema.String,
      pipeline: Schema.String,
      started_at: Schema.BigInt,
      committed_at: Schema.BigInt,
      facts: counts,
      rows: counts,
      once: Schema.NullOr(Schema.String)
    })
  )
)
const decodeRun = (row: unknown): Effect.Effect<Sink.RunRecord, Schema.SchemaError> =>
  Effect.map(decodeRow(row), ({ run_id: runId, started_at: startedAt, committed_at: committedAt, once, ...rest }) => ({
    runId,
    startedAt,
    committedAt,
    ...rest,
    ...(once === null ? {} : { once })
  }))

/** Records a commit: the checkpoint, the run, its checks, and a row for each table. */
export const record = Effect.fnUntraced(function* (
  database: Database.Database,
  place: Place.DatabaseLocation,
  plan: Sink.Plan,
  { checkpoint, run, checks }: Sink.Commit,
  results: Readonly<Record<string, Sink.TableResult>>
) {
  const [state, runsTable, checksTable, loads] = [stateName, runsName, checksName, loadsName].map((name) =>
    Place.named(place, name)
  )
  yield* database.run(`DELETE FROM ${state} WHERE pipeline = $1`, [plan.pipeline])
  yield* database.run(`INSERT INTO ${state} VALUES ($1, $2, $3, make_timestamp($4::BIGINT))`, [
    plan.pipeline,
    checkpoint.runId,
    JSON.stringify(checkpoint.state ?? null),
    run.committedAt
  ])
  yield* database.run(`DELETE FROM ${runsTable} WHERE run_id = $1`, [run.runId])
  yield* database.run(
    `INSERT INTO ${runsTable}
      (run_id, pipeline, started_at, committed_at, facts, "rows", status, once, ${counters.map(({ name }) => name).join(", ")})
      SELECT $1, $2, make_timestamp($3::BIGINT), make_timestamp($4::BIGINT), $5::JSON, $6::JSON, $7,
      ${run.once === undefined ? "NULL" : "$8"},
      ${counters.map(({ fact }) => countOf("$5::JSON", fact)).join(", ")}`,
    [
      run.runId,
      run.pipeline,
      run.startedAt,
      run.committedAt,
      JSON.stringify(run.facts),
      JSON.stringify(run.rows),
      Sink.isUnfinished(run) ? reading : done,
      ...(run.once === undefined ? [] : [run.once])
    ]
  )
  yield* database.run(`DELETE FROM ${checksTable} WHERE run_id = $1`, [run.runId])
  for (const { check, table, passed, found } of checks) {
    yield* database.run(`INSERT INTO ${checksTable} VALUES ($1, $2, $3, $4::BOOLEAN, $5, make_timestamp($6::BIGINT))`, [
      run.runId,
      check,
      table,
      String(passed),
      found,
      run.committedAt
    ])
  }
  const written = plan.tables.map(
    ({ table, write }) =>
      `($1, ${Database.literal(table.name)}, ${results[table.name]?.written ?? 0}, '${write}', make_timestamp($2::BIGINT))`
  )
  if (written.length === 0) return
  yield* database.run(`INSERT INTO ${loads} VALUES ${written.join(", ")}`, [run.runId, run.committedAt])
})
