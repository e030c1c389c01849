/**
 * The writer of the DuckDB sink: one transaction from open, or from the last commit, to the next commit.
 *
 * The law: rows, child tables, checkpoint and the run's record become visible in one COMMIT. A writer that failed once
 * is done for: its transaction may be half of something, so every later call fails and closing rolls back.
 */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type * as Database from "../../src/duckdb/Database.ts"
import { mergeFault, rowFault } from "../../src/pipeline/mergeFault.ts"
import type * as Sink from "../../src/pipeline/Sink.ts"
import { strictWriter } from "../../src/pipeline/strictWriter.ts"
import type * as Table from "../../src/pipeline/Table.ts"
import { failure } from "./failure.ts"
import * as History from "./history.ts"
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

  const watches = options.removed === "close"

  let transaction: "first" | "none" | "open" = "first"
  const begin = Effect.gen(function* () {
    if (transaction === "open") return
    const first = transaction === "first"
    yield* database.run("BEGIN")
    yield* Ledger.prepare(database)
    for (const stage of stages.values()) {
      yield* Stage.begin(database, stage, plan, first)
      if (first && plan.again === true && stage.write !== "scd2") yield* Stage.clear(database, stage, plan.runId)
      if (first && watches && stage.write === "scd2") yield* History.prepareSeen(database, stage)
    }
    transaction = "open"
  }).pipe(Effect.mapError(during(`cannot begin to write ${file}`)))

  const stageOf = Effect.fnUntraced(function* (table: string, rows: ReadonlyArray<Table.Row>) {
    const stage = stages.get(table)
    if (stage === undefined) return yield* failure(`table ${table} is not in the plan of this run`)()
    yield* begin
    const fault = rowFault(stage, rows)
    return fault === undefined ? stage : yield* failure(fault)()
  })

  const write = Effect.fnUntraced(function* (batch: Table.Batch) {
    const stage = yield* stageOf(batch.table.name, batch.rows)
    for (const child of stages.values()) {
      if (child.write === "merge" && child.table.parent?.table === batch.table.name) {
        child.marks.push({ from: stage.written, before: child.written })
      }
    }
    for (const row of batch.rows) {
      if (Stage.add(stage, row)) yield* Stage.flush(database, stage)
    }
  })

  const keep = Effect.fnUntraced(function* (table: string, keys: ReadonlyArray<Table.Row>) {
    const stage = yield* stageOf(table, keys)
    if (!watches || stage.write !== "scd2" || keys.length === 0) return
    yield* History.keep(database, stage, keys).pipe(Effect.mapError(Stage.inTable(stage)))
  })

  let again = plan.again === true
  const settle = Effect.fnUntraced(function* (stage: Stage.Stage, { run, complete }: Sink.Commit) {
    if (stage.write === "merge") return yield* merge(database, stage, stages.get(stage.table.parent?.table ?? ""))
    if (stage.write !== "scd2") return stage.rows
    if (again) {
      yield* Stage.clear(database, stage, plan.runId)
      yield* History.forget(database, stage, run.startedAt)
    }
    const removed = watches ? (complete ? "close" : "watch") : "keep"
    return yield* History.remember(database, stage, { at: run.startedAt, removed })
  })

  const commit = Effect.fn("duckdb.commit")(
    function* (commit: Sink.Commit) {
      yield* begin
      const rows: Record<string, number> = {}
      for (const stage of stages.values()) yield* Stage.flush(database, stage)
      for (const stage of parentsFirst(stages)) {
        rows[stage.table.name] = yield* settle(stage, commit).pipe(Effect.mapError(Stage.inTable(stage)))
      }
      again = false
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
  const columns = (table: string) => Option.fromUndefinedOr(stages.get(table)?.ready.before)
  return strictWriter("duckdb", { resume, columns, write, keep, commit })
})

/** A child is merged by the keys that its parent's rows are known by once their doubles are gone. */
const parentsFirst = (stages: ReadonlyMap<string, Stage.Stage>): ReadonlyArray<Stage.Stage> => {
  const depth = ({ table }: Stage.Stage): number => {
    const parent = stages.get(table.parent?.table ?? "")
    return parent === undefined ? 0 : 1 + depth(parent)
  }
  return [...stages.values()].toSorted((a, b) => depth(a) - depth(b))
}

const publishedAt = (target: Target.Target, path: string, plan: Sink.Plan) => {
  const absolute = Path.resolve(plan.directory, path)
  return absolute === target.file
    ? Effect.fail(failure(`publish and path are both ${absolute}: name another file for readers`)())
    : Effect.succeed(Published.make(target, absolute))
}

/** Keeps what already names a table, and says of the rest what was being done. */
const during = (doing: string) => (error: Database.DatabaseError | Sink.SinkError) =>
  error._tag === "SinkError" ? error : failure(doing)(error)
