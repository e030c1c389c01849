/**
 * What a database keeps of commits, beside the rows: the checkpoint of each pipeline, its runs, their checks and profiles, and
 * what each commit loaded. They are the tables of a DuckDB file, with `commit_number` for their order: that of the commit, or one
 * that the database counts.
 *
 * Guarantee: they are written in the transaction of the rows. A checkpoint that another process has moved since this one opened
 * the database refuses the commit, so that of two runs of one pipeline one is written, and a commit whose answer was lost is
 * found by the next run and not made again.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Checkpoint from "../Checkpoint.ts"
import { ColumnProfile } from "../ColumnProfile.ts"
import * as Commit from "../Commit.ts"
import { runCounters } from "../runCounters.ts"
import type * as Sink from "../Sink.ts"
import type { Row } from "../TableShape.ts"
import * as LedgerTable from "./LedgerTable.ts"
import { refused, type SqlDatabase } from "./SqlDatabase.ts"

const text = "VARCHAR NOT NULL"
const whole = "BIGINT NOT NULL"
const moment = "TIMESTAMP NOT NULL"
const json = "JSON NOT NULL"

const states = LedgerTable.of("_millrace_state", {
  pipeline: text,
  run_id: text,
  state: json,
  committed_at: moment,
  commit_number: whole
})
const runsTable = LedgerTable.of("_millrace_runs", {
  run_id: text,
  pipeline: text,
  started_at: moment,
  committed_at: moment,
  facts: json,
  rows: json,
  status: "VARCHAR",
  ...Object.fromEntries(runCounters.map(({ name }) => [name, "BIGINT"])),
  once: "VARCHAR",
  commit_number: whole
})
const loads = LedgerTable.of("_millrace_loads", {
  run_id: text,
  table_name: text,
  rows: whole,
  write: text,
  row_hashes: "JSON",
  committed_at: moment,
  commit_number: whole
})
const checksTable = LedgerTable.of("_millrace_checks", {
  run_id: text,
  check_name: text,
  table_name: text,
  passed: "BOOLEAN NOT NULL",
  found: text,
  committed_at: moment,
  commit_number: whole
})
const profilesTable = LedgerTable.of("_millrace_profiles", {
  run_id: text,
  table_name: text,
  column_name: text,
  rows: whole,
  filled: whole,
  distinct_values: "BIGINT",
  profile: json,
  committed_at: moment,
  commit_number: whole
})

const all = [states, runsTable, loads, checksTable, profilesTable]

export const tableNames = all.map(({ name }) => name)

/** Makes the tables. Runs of a version that had fewer columns get what their facts say. */
export const prepare = Effect.fnUntraced(function* (database: SqlDatabase): Effect.fn.Return<void, Commit.SinkError> {
  const { literal, table } = database.spelling
  const added = (yield* LedgerTable.prepare(database, all)).get(runsTable.name) ?? []
  const known = ({ facts }: Sink.RunRecord): ReadonlyArray<readonly [string, string | number | null]> => [
    ["status", "done"],
    ...runCounters.map(({ fact, name }) => [name, wholeOf(facts[fact])] as const)
  ]
  if (!added.includes("status") && !runCounters.some(({ name }) => added.includes(name))) return
  for (const run of yield* runs(database)) {
    const set = known(run).flatMap(([name, value]) => (added.includes(name) ? [`${name} = ${literal(value)}`] : []))
    yield* database.run(`UPDATE ${table(runsTable.name)} SET ${set.join(", ")} WHERE run_id = ${literal(run.runId)}`)
  }
})

/** The checkpoint of a pipeline, and the number of the commit that left it; 0: there was none. */
export interface Position {
  readonly resume: Option.Option<Checkpoint.Stored>
  readonly commitNumber: number
}

export const position = (database: SqlDatabase, pipeline: string): Effect.Effect<Position, Commit.SinkError> =>
  Effect.map(
    LedgerTable.select(database, states, `WHERE pipeline = ${database.spelling.literal(pipeline)}`),
    ([row]): Position =>
      row === undefined
        ? { resume: Option.none(), commitNumber: 0 }
        : {
            resume: Option.some({ runId: String(row["run_id"]), state: row["state"] }),
            commitNumber: Number(row["commit_number"] ?? 0)
          }
  )

/** Refuses the commit if another process has committed for the pipeline. */
export const refuseOther = Effect.fnUntraced(function* (
  database: SqlDatabase,
  pipeline: string,
  commitNumber: number
): Effect.fn.Return<void, Commit.SinkError> {
  // Where one process at a time has the database, no other has committed.
  if (database.dialect.arrival !== undefined) return
  if ((yield* position(database, pipeline)).commitNumber === commitNumber) return
  return yield* refused(
    database,
    `another run of ${pipeline} has committed to ${database.location} since this one began; its rows stay, and these were not written: run it again`
  )
})

/** Records a commit, and returns its number. */
export const record = Effect.fnUntraced(function* (
  database: SqlDatabase,
  { pipeline, tables }: Sink.Plan,
  { checkpoint, checks, profiles = [], run }: Sink.Commit,
  results: Readonly<Record<string, Sink.TableResult>>,
  rowHashes: Readonly<Record<string, unknown>>
): Effect.fn.Return<number, Commit.SinkError> {
  const { arrival, serial } = database.dialect
  const [[last] = []] =
    serial === undefined && arrival === undefined
      ? yield* database.rows(`SELECT coalesce(max(commit_number), 0) FROM ${database.spelling.table(states.name)}`)
      : []
  const ofCommit = { run_id: run.runId, committed_at: run.committedAt, commit_number: Number(last ?? 0) + 1 }
  const replace = (table: LedgerTable.LedgerTable, column: string, value: string, rows: ReadonlyArray<Row>) =>
    Effect.andThen(
      LedgerTable.remove(database, table, column, value),
      LedgerTable.insert(
        database,
        table,
        rows.map((row) => ({ ...ofCommit, ...row }))
      )
    )
  yield* replace(states, "pipeline", pipeline, [
    { pipeline, run_id: checkpoint.runId, state: checkpoint.state ?? null }
  ])
  yield* replace(runsTable, "run_id", run.runId, [
    {
      pipeline: run.pipeline,
      started_at: run.startedAt,
      facts: run.facts,
      rows: run.rows,
      status: Commit.isUnfinished(run) ? "reading" : "done",
      once: run.once ?? null,
      ...Object.fromEntries(runCounters.map(({ fact, name }) => [name, wholeOf(run.facts[fact])]))
    }
  ])
  yield* replace(
    checksTable,
    "run_id",
    run.runId,
    checks.map(({ check, found, passed, table }) => ({ check_name: check, table_name: table, passed, found }))
  )
  yield* replace(
    profilesTable,
    "run_id",
    run.runId,
    profiles.map((profile) => ({
      table_name: profile.table,
      column_name: profile.column,
      rows: profile.rows,
      filled: profile.filled,
      distinct_values: profile.distinct,
      profile
    }))
  )
  const written = tables.map(({ table, write }) => ({
    ...ofCommit,
    table_name: table.name,
    rows: results[table.name]?.written ?? 0,
    write,
    row_hashes: rowHashes[table.name] ?? null
  }))
  yield* LedgerTable.insert(database, loads, written)
  return arrival === undefined ? (yield* position(database, pipeline)).commitNumber : 0
})

const wholeOf = (count: number | undefined): number | null =>
  count !== undefined && Number.isSafeInteger(count) ? count : null

/** The records of all committed runs, in the order of their last commits. */
export const runs = (database: SqlDatabase) =>
  Effect.flatMap(LedgerTable.select(database, runsTable, LedgerTable.inOrder(database)), (rows) =>
    Effect.forEach(rows, (row) => decodeRun(database, row))
  )

/** The last run of a pipeline under a caller's key. */
export const ranOnce = Effect.fnUntraced(function* (database: SqlDatabase, { once, pipeline }: Sink.OnceKey) {
  const row = (yield* ofPipeline(database, pipeline)).findLast((row) => row["once"] === once)
  return row === undefined ? Option.none<Sink.RunRecord>() : Option.some(yield* decodeRun(database, row))
})

/** The newest runs of a pipeline, in the order of their last commits. */
export const newestRuns = Effect.fnUntraced(function* (
  database: SqlDatabase,
  { count, pipeline }: { readonly pipeline: string; readonly count: number }
) {
  const rows = yield* ofPipeline(database, pipeline)
  return yield* Effect.forEach(count > 0 ? rows.slice(-count) : [], (row) => decodeRun(database, row))
})

const ofPipeline = (database: SqlDatabase, pipeline: string) =>
  LedgerTable.select(
    database,
    runsTable,
    `WHERE pipeline = ${database.spelling.literal(pipeline)} ${LedgerTable.inOrder(database)}`
  )

const counts = Schema.Record(Schema.String, Schema.Finite)
const decodeRow = Schema.decodeUnknownEffect(
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

const decodeRun = (database: SqlDatabase, row: Row): Effect.Effect<Sink.RunRecord, Commit.SinkError> =>
  Effect.mapBoth(decodeRow(row), {
    onFailure: ({ message }) =>
      refused(database, `a row of ${runsTable.name} in ${database.location} was changed: ${message}`),
    onSuccess: ({ committed_at, once, run_id, started_at, ...run }): Sink.RunRecord => ({
      runId: run_id,
      startedAt: started_at,
      committedAt: committed_at,
      ...run,
      ...(once === null ? {} : { once })
    })
  })

const decodeProfile = Schema.decodeUnknownEffect(ColumnProfile)

/** The checks and profiles of runs. */
export const details = Effect.fnUntraced(function* (
  database: SqlDatabase,
  runIds: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<Sink.RunDetails>, Commit.SinkError> {
  if (runIds.length === 0) return []
  const { arrival, serial } = database.dialect
  const order = arrival === undefined && serial === undefined ? "" : ` ${LedgerTable.inOrder(database)}`
  const tail = `WHERE run_id IN (${runIds.map(database.spelling.literal).join(", ")})${order}`
  const checks = yield* LedgerTable.select(database, checksTable, tail)
  const profiles = yield* LedgerTable.select(database, profilesTable, tail)
  const decoded = yield* Effect.forEach(profiles, (row) =>
    Effect.mapBoth(decodeProfile(row["profile"]), {
      onFailure: ({ message }) => refused(database, `a profile in ${database.location} was changed: ${message}`),
      onSuccess: (profile) => ({ runId: row["run_id"], profile })
    })
  )
  return runIds.map((runId) => ({
    runId,
    checks: checks.filter((row) => row["run_id"] === runId).map(checkOf),
    profiles: decoded.filter((one) => one.runId === runId).map(({ profile }) => profile)
  }))
})

const checkOf = (row: Row): Sink.CheckRecord => ({
  check: String(row["check_name"]),
  table: String(row["table_name"]),
  passed: row["passed"] === true,
  found: String(row["found"])
})

/** What commits loaded, in their order. */
export const loadsOf = (database: SqlDatabase) => LedgerTable.select(database, loads, LedgerTable.inOrder(database))

/** What a version without owners knew of them: the pipeline that loaded each table first, or else the first with a checkpoint. */
export const firstLoads = Effect.fnUntraced(function* (
  database: SqlDatabase
): Effect.fn.Return<ReadonlyMap<string, { readonly pipeline: string; readonly runId: string }>, Commit.SinkError> {
  const order = LedgerTable.inOrder(database)
  const loaded = yield* loadsOf(database)
  if (loaded.length === 0) return new Map()
  const pipelines = new Map(
    (yield* LedgerTable.select(database, runsTable, order)).map((row) => [row["run_id"], String(row["pipeline"])])
  )
  const [first] = yield* LedgerTable.select(
    database,
    states,
    `ORDER BY committed_at, ${database.dialect.arrival ?? LedgerTable.commitNumber} LIMIT 1`
  )
  const byTable = new Map<string, { readonly pipeline: string; readonly runId: string }>()
  for (const table of new Set(loaded.map((row) => String(row["table_name"])))) {
    const own = loaded.filter((row) => row["table_name"] === table)
    const known = own.flatMap((row) => pipelines.get(row["run_id"]) ?? [])
    const pipeline = known[0] ?? first?.["pipeline"]
    if (pipeline !== undefined) byTable.set(table, { pipeline: String(pipeline), runId: String(own[0]?.["run_id"]) })
  }
  return byTable
})

/** The first of some runs that loaded a table when it was no history yet. */
export const notYetHistory = (database: SqlDatabase, table: string, runIds: ReadonlyArray<string>) =>
  Effect.map(
    LedgerTable.select(
      database,
      loads,
      `WHERE table_name = ${database.spelling.literal(table)} AND run_id IN (${runIds.map(database.spelling.literal).join(", ")})`
    ),
    (rows) => rows.find((row) => row["write"] !== "scd2")?.["run_id"]
  )
