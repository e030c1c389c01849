/**
 * The writer of the memory sink, and the shortest complete one: copy it to begin a sink of your own.
 *
 * The laws in their simplest form: the stage is a map of rows that nobody else can see, and the commit is one
 * assignment.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { mergeFault, rowFault } from "../../src/pipeline/mergeFault.ts"
import * as Sink from "../../src/pipeline/Sink.ts"
import * as Table from "../../src/pipeline/Table.ts"
import * as Database from "./Database.ts"
import { adopt, forget, remember } from "./history.ts"
import { mergeByKey, mergeByParent } from "./merge.ts"
import type { Options } from "./Options.ts"
import * as Stage from "./Stage.ts"
import { isHistory, storedFault } from "./storedFault.ts"

export const open = Effect.fn("memory.open")(function* (
  options: Options,
  plan: Sink.Plan
): Effect.fn.Return<Sink.Writer, Sink.SinkError, Scope.Scope> {
  const fault = mergeFault(plan.tables)
  if (fault !== undefined) return yield* fail(fault)
  yield* claim(options.name)
  const opened = Database.read(options.name)
  for (const planned of plan.tables) {
    const stored = opened.tables.get(planned.table.name)
    const fault = stored && storedFault(planned, stored, plan.evolve)
    if (fault !== undefined) return yield* fail(fault)
  }
  const stages = new Map(
    plan.tables.map((planned) => [
      planned.table.name,
      Stage.make(planned, opened.tables.get(planned.table.name), plan.evolve)
    ])
  )
  let batches = 0
  let first = true

  const stageOf = Effect.fnUntraced(function* (table: string, rows: ReadonlyArray<Table.Row>) {
    const stage = stages.get(table)
    if (stage === undefined) return yield* fail(`table ${table} is not in the plan of this run`)
    const fault = rowFault(stage, rows)
    return fault === undefined ? stage : yield* fail(fault)
  })

  const write = Effect.fnUntraced(function* (batch: Table.Batch) {
    const stage = yield* stageOf(batch.table.name, batch.rows)
    batches += 1
    yield* Effect.try({
      try: () => Stage.add(stage, batch.rows, batches),
      catch: (cause) => error(`table ${batch.table.name}: ${cause instanceof Error ? cause.message : String(cause)}`)
    })
  })

  const keep = Effect.fnUntraced(function* (table: string, keys: ReadonlyArray<Table.Row>) {
    const stage = yield* stageOf(table, keys)
    for (const key of keys) stage.seen.add(Table.nameOf(key, stage.table.key))
  })

  /** What a table holds after a commit. */
  const committed = (stage: Stage.Stage, { run, complete }: Sink.Commit): ReadonlyArray<Table.Row> => {
    const { table, columns, write } = stage
    const again = first && plan.again === true
    const stored = Database.read(options.name).tables.get(table.name)
    const present = write === "replace" && first ? [] : Stage.present(stage, stored)
    const rows = stage.staged.map(({ row }) => row)
    if (write === "scd2") {
      const history = stored === undefined || isHistory(stored) ? present : adopt(present)
      return remember(again ? forget(history, plan.runId, table.key, run.startedAt) : history, rows, {
        key: table.key,
        fingerprint: columns.filter(({ name }) => stage.fingerprint?.includes(name)),
        at: run.startedAt,
        seen: options.removed === "close" && complete ? stage.seen : undefined
      })
    }
    const others = again ? present.filter((row) => row["_run_id"] !== plan.runId) : present
    if (write !== "merge") return [...others, ...rows]
    return table.parent === undefined
      ? mergeByKey(table.key, others, rows)
      : mergeByParent(table.parent, others, stage.staged, stages.get(table.parent.table)?.staged ?? [])
  }

  const commit = (commit: Sink.Commit) =>
    Effect.sync((): Sink.Receipt => {
      const before = Database.read(options.name)
      const tables = new Map(before.tables)
      const runs = new Map(before.runs)
      const rows: Record<string, number> = {}
      // A run that commits again is where its last commit is.
      runs.delete(commit.run.runId)
      for (const [name, stage] of stages) {
        tables.set(name, { columns: Stage.kept(stage), rows: committed(stage, commit) })
        rows[name] = stage.staged.length
      }
      Database.replace(options.name, {
        tables,
        checkpoints: new Map(before.checkpoints).set(plan.pipeline, commit.checkpoint),
        runs: runs.set(commit.run.runId, commit.run),
        checks: new Map(before.checks).set(commit.run.runId, commit.checks)
      })
      for (const stage of stages.values()) stage.staged = []
      first = false
      return { location: `memory:${options.name}`, rows }
    })

  return {
    resume: Option.fromUndefinedOr(opened.checkpoints.get(plan.pipeline)),
    columns: (table) => Option.fromUndefinedOr(stages.get(table)?.before),
    write,
    keep,
    commit
  }
})

/** One writer at a time: the database is ours until the scope closes. */
const claim = (name: string) =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      if (claimed.has(name)) return fail(`memory:${name} is open in another run; let it end first`)
      claimed.add(name)
      return Effect.void
    }),
    () => Effect.sync(() => claimed.delete(name))
  )

const claimed = new Set<string>()

const error = (message: string) => new Sink.SinkError({ sink: "memory", message, retryable: false })
const fail = (message: string) => Effect.fail(error(message))
