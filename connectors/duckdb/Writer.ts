/**
 * The writer of the DuckDB sink: one transaction from open, or from the last commit, to the next commit.
 *
 * The law: rows, child tables, checkpoint and the run's record become visible in one COMMIT. A writer that failed once
 * is done for: its transaction may be half of something, so every later call fails and closing rolls back.
 */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Database from "../../src/duckdb/Database.ts"
import { mergeFault, rowFault } from "../../src/pipeline/mergeFault.ts"
import type * as Sink from "../../src/pipeline/Sink.ts"
import { strictWriter } from "../../src/pipeline/strictWriter.ts"
import type * as Table from "../../src/pipeline/Table.ts"
import { failure } from "./failure.ts"
import * as Ledger from "./Ledger.ts"
import { merge } from "./merge.ts"
import type { Options } from "./Options.ts"
import * as Published from "./Published.ts"
import * as Stage from "./Stage.ts"
import * as Target from "./Target.ts"

export const open = Effect.fn("duckdb.open")(function* (
  options: Options,
  plan: Sink.Plan
): Effect.fn.Return<Sink.Writer, Sink.SinkError, Scope.Scope> {
  const fault = mergeFault(plan.tables)
  if (fault !== undefined) return yield* failure(fault)()
  const opened = yield* Target.open(options.path, plan.directory)
  const { database, file } = opened
  const published = options.publish === undefined ? undefined : yield* publishedAt(opened, options.publish, plan)
  if (published !== undefined) yield* published.catchUp
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
    const fault = rowFault(stage, batch.rows)
    if (fault !== undefined) return yield* failure(fault)()
    for (const child of stages.values()) {
      if (child.write === "merge" && child.table.parent?.table === batch.table.name) {
        child.marks.push({ from: stage.written, before: child.written })
      }
    }
    for (const row of batch.rows) {
      if (Stage.add(stage, row)) yield* Stage.flush(database, stage)
    }
  })

  const commit = Effect.fn("duckdb.commit")(
    function* (commit: Sink.Commit) {
      yield* begin
      const rows: Record<string, number> = {}
      for (const stage of stages.values()) yield* Stage.flush(database, stage)
      for (const stage of stages.values()) {
        rows[stage.table.name] =
          stage.write === "merge"
            ? yield* merge(database, stage, stages.get(stage.table.parent?.table ?? ""))
            : stage.rows
      }
      yield* Ledger.record(database, plan, commit, rows)
      yield* Effect.uninterruptible(database.run("COMMIT"))
      transaction = "none"
      if (published !== undefined) yield* published.publish
      return { location: published?.path ?? file, rows }
    },
    Effect.mapError(during(`cannot commit to ${file}`))
  )

  yield* begin
  const resume = yield* Ledger.resume(database, plan.pipeline).pipe(Effect.mapError(during(`cannot read ${file}`)))
  return strictWriter("duckdb", { resume, write, commit })
})

const publishedAt = (target: Target.Target, path: string, plan: Sink.Plan) => {
  const absolute = Path.resolve(plan.directory, path)
  return absolute === target.file
    ? Effect.fail(failure(`publish and path are both ${absolute}: name another file for readers`)())
    : Effect.succeed(Published.make(target, absolute))
}

/** Keeps what already names a table, and says of the rest what was being done. */
const during = (doing: string) => (error: Database.DatabaseError | Sink.SinkError) =>
  error._tag === "SinkError" ? error : failure(doing)(error)
