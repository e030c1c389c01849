/**
 * The sink's own tables, beside the rows: where each pipeline stands, its runs, and what each commit loaded.
 *
 * The law: they are written in the transaction of the rows they speak of.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Database from "../../src/duckdb/Database.ts"
import type * as Checkpoint from "../../src/pipeline/Checkpoint.ts"
import type * as Column from "../../src/pipeline/Column.ts"
import type * as Sink from "../../src/pipeline/Sink.ts"

/** Makes the tables where they are missing. */
export const prepare = (database: Database.Database) =>
  Effect.forEach(tables, (ddl) => database.run(`CREATE TABLE IF NOT EXISTS target.main.${ddl}`), { discard: true })

const tables = [
  "_millrace_state (pipeline VARCHAR NOT NULL, run_id VARCHAR NOT NULL, state JSON NOT NULL, committed_at TIMESTAMP NOT NULL)",
  `_millrace_runs (run_id VARCHAR NOT NULL, pipeline VARCHAR NOT NULL, started_at TIMESTAMP NOT NULL,
    committed_at TIMESTAMP NOT NULL, facts JSON NOT NULL, "rows" JSON NOT NULL)`,
  `_millrace_loads (run_id VARCHAR NOT NULL, table_name VARCHAR NOT NULL, "rows" BIGINT NOT NULL,
    "write" VARCHAR NOT NULL, committed_at TIMESTAMP NOT NULL)`
]

/** The checkpoint of the last commit of a pipeline. */
export const resume = (database: Database.Database, pipeline: string) =>
  Effect.map(
    database.query("SELECT run_id, state FROM target.main._millrace_state WHERE pipeline = $1", stored, [pipeline]),
    ([row]): Option.Option<Checkpoint.Stored> =>
      row === undefined ? Option.none() : Option.some({ runId: String(row["run_id"]), state: row["state"] })
  )

const stored: ReadonlyArray<Column.Column> = [
  { name: "run_id", type: { _tag: "VARCHAR" }, nullable: false },
  { name: "state", type: { _tag: "JSON" }, nullable: false }
]

/** Writes down a commit: the place to go on from, the run so far, and a line for each table. */
export const record = Effect.fnUntraced(function* (
  database: Database.Database,
  plan: Sink.Plan,
  { checkpoint, run }: Sink.Commit,
  rows: Readonly<Record<string, number>>
) {
  yield* database.run("DELETE FROM target.main._millrace_state WHERE pipeline = $1", [plan.pipeline])
  yield* database.run("INSERT INTO target.main._millrace_state VALUES ($1, $2, $3, make_timestamp($4::BIGINT))", [
    plan.pipeline,
    checkpoint.runId,
    JSON.stringify(checkpoint.state ?? null),
    run.committedAt
  ])
  yield* database.run("DELETE FROM target.main._millrace_runs WHERE run_id = $1", [run.runId])
  yield* database.run(
    "INSERT INTO target.main._millrace_runs VALUES ($1, $2, make_timestamp($3::BIGINT), make_timestamp($4::BIGINT), $5, $6)",
    [run.runId, run.pipeline, run.startedAt, run.committedAt, JSON.stringify(run.facts), JSON.stringify(run.rows)]
  )
  for (const { table, write } of plan.tables) {
    yield* database.run("INSERT INTO target.main._millrace_loads VALUES ($1, $2, $3, $4, make_timestamp($5::BIGINT))", [
      run.runId,
      table.name,
      BigInt(rows[table.name] ?? 0),
      write,
      run.committedAt
    ])
  }
})
