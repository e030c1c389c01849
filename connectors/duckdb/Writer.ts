/**
 * The writer of the DuckDB sink: one transaction from open, or from the last commit, to the next commit.
 *
 * The law: rows, child tables, checkpoint and the run's record become visible in one COMMIT. A writer that failed once
 * is done for: its transaction may be half of something, so every later call fails and closing rolls back.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type * as Database from "../../src/duckdb/Database.ts"
import * as Sink from "../../src/pipeline/Sink.ts"
import type * as Table from "../../src/pipeline/Table.ts"
import { failure } from "./failure.ts"
import * as Ledger from "./Ledger.ts"
import { mergeFault, mergeStatements, required } from "./merge.ts"
import type { Options } from "./Options.ts"
import * as Stage from "./Stage.ts"
import * as Target from "./Target.ts"

export const open = Effect.fn("duckdb.open")(function* (
  options: Options,
  plan: Sink.Plan
): Effect.fn.Return<Sink.Writer, Sink.SinkError, Scope.Scope> {
  const fault = mergeFault(plan.tables)
  if (fault !== undefined) return yield* failure(fault)()
  const { database, file } = yield* Target.open(options.path, plan.directory)
  const stages = new Map<string, Stage.Stage>()
  for (const planned of plan.tables) stages.set(planned.table.name, yield* Stage.make(database, planned))

  let transaction: "first" | "none" | "open" = "first"
  const begin = Effect.gen(function* () {
    if (transaction === "open") return
    yield* database.run("BEGIN")
    yield* Ledger.prepare(database)
    for (const stage of stages.values()) yield* Stage.begin(database, stage, transaction === "first")
    transaction = "open"
  }).pipe(Effect.mapError(during(`cannot begin to write ${file}`)))

  const write = Effect.fnUntraced(function* (batch: Table.Batch) {
    const stage = stages.get(batch.table.name)
    if (stage === undefined) return yield* failure(`table ${batch.table.name} is not in the plan of this run`)()
    yield* begin
    const needed = required(stage)
    for (const row of batch.rows) {
      const missing = needed.find((column) => row[column] === null || row[column] === undefined)
      if (missing !== undefined) {
        const message = `table ${stage.table.name}: a row has no ${missing}, which merge needs; fill it, or append`
        return yield* failure(message)()
      }
      if (Stage.add(stage, row)) yield* Stage.flush(database, stage)
    }
  })

  const commit = Effect.fn("duckdb.commit")(
    function* (commit: Sink.Commit) {
      yield* begin
      const rows: Record<string, number> = {}
      for (const stage of stages.values()) yield* Stage.flush(database, stage)
      for (const stage of stages.values()) {
        rows[stage.table.name] = stage.write === "merge" ? yield* merge(database, stage) : stage.rows
      }
      yield* Ledger.record(database, plan, commit, rows)
      yield* Effect.uninterruptible(database.run("COMMIT"))
      transaction = "none"
      return { location: file, rows }
    },
    Effect.mapError(during(`cannot commit to ${file}`))
  )

  yield* begin
  const resume = yield* Ledger.resume(database, plan.pipeline).pipe(Effect.mapError(during(`cannot read ${file}`)))
  const whole = yield* oneAtATimeUntilBroken
  return { resume, write: (batch) => whole(write(batch)), commit: (each) => whole(commit(each)) }
})

/** Merges one table; the answer is how many rows came. */
const merge = Effect.fnUntraced(function* (database: Database.Database, stage: Stage.Stage) {
  let rows = 0
  for (const statement of mergeStatements(stage)) rows = yield* database.run(statement)
  return rows
})

/** Runs calls one after the other, and none after one that failed or was interrupted. */
const oneAtATimeUntilBroken = Effect.map(Semaphore.make(1), (semaphore) => {
  let broken = false
  return <A>(call: Effect.Effect<A, Sink.SinkError>) =>
    semaphore.withPermit(
      Effect.suspend(() =>
        broken
          ? Effect.fail(failure("an earlier call of this writer failed; open the destination anew")())
          : Effect.onError(call, () => Effect.sync(() => void (broken = true)))
      )
    )
})

/** Keeps what already names a table, and says of the rest what was being done. */
const during = (doing: string) => (error: Database.DatabaseError | Sink.SinkError) =>
  error._tag === "SinkError" ? error : failure(doing)(error)
