/**
 * The writer of the memory sink, and the shortest complete one: copy it to begin a sink of your own.
 *
 * The laws in their simplest form: the stage is a map of rows that nobody else can see, and the commit is one
 * assignment.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Owner from "../../src/pipeline/Owner.ts"
import * as Sink from "../../src/pipeline/Sink.ts"
import { mergeFault, rowFault } from "../../src/pipeline/SinkPlan.ts"
import type * as Table from "../../src/pipeline/Table.ts"
import { type Change, change } from "./change.ts"
import * as Database from "./Database.ts"
import { databaseOf, type Options } from "./Options.ts"
import * as Stage from "./Stage.ts"
import { storedFault } from "./storedFault.ts"

export const open = Effect.fn("memory.open")(function* (
  options: Options,
  plan: Sink.Plan
): Effect.fn.Return<Sink.Writer, Sink.SinkError, Scope.Scope> {
  const name = databaseOf(options)
  const place = `memory:${name}`
  const fault = mergeFault(plan.tables)
  if (fault !== undefined) return yield* fail(fault)
  yield* claim(name)
  const opened = Database.read(name)
  const foreign = Owner.fault(plan, place, (table) => heldOf(opened, table))
  if (foreign !== undefined) return yield* fail(foreign)
  for (const planned of plan.tables) {
    const stored = opened.tables.get(planned.table.name)
    const fault = stored && storedFault(planned, stored, plan.evolve)
    if (fault !== undefined) return yield* fail(fault)
  }
  const stages = new Map(
    plan.tables.map((planned) => [planned.table.name, Stage.make(planned, opened.tables.get(planned.table.name), plan)])
  )
  const ours = Owner.namesOf(plan.pipeline)
  const isOurs = (row: Table.Row) => plan.shared !== true || ours.includes(String(row[Sink.pipelineColumn.name]))
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

  const retainKeys = Effect.fnUntraced(function* (table: string, keys: ReadonlyArray<Table.Row>) {
    Stage.keep(yield* stageOf(table, keys), keys)
  })

  /** What a table is after a commit. */
  const changeOf = (commit: Sink.Commit, stage: Stage.Stage) =>
    Effect.try({
      try: (): Change =>
        change(stage, {
          commit,
          stored: Database.read(name).tables.get(stage.table.name),
          parent: stages.get(stage.table.parent?.table ?? ""),
          forgotten: first && plan.again === true ? plan.runId : undefined,
          isOurs,
          removed: options.removed
        }),
      catch: (cause) => error(`table ${stage.table.name}: ${cause instanceof Error ? cause.message : String(cause)}`)
    })

  const commit = Effect.fnUntraced(function* (
    commit: Sink.Commit
  ): Effect.fn.Return<Sink.CommitResult, Sink.SinkError> {
    const before = Database.read(name)
    const tables = new Map(before.tables)
    const runs = new Map(before.runs)
    const owners = new Map(before.owners)
    const receipts: Record<string, Sink.TableResult> = {}
    for (const [table, stage] of stages) {
      const { receipt, stored } = yield* changeOf(commit, stage)
      tables.set(table, stored)
      receipts[table] = receipt
      if (!owners.has(table)) owners.set(table, Sink.ownerOf(plan.pipeline))
    }
    // A run that commits again is where its last commit is.
    runs.delete(commit.run.runId)
    Database.replace(name, {
      tables,
      checkpoints: new Map(before.checkpoints).set(plan.pipeline, commit.checkpoint),
      runs: runs.set(commit.run.runId, commit.run),
      checks: new Map(before.checks).set(commit.run.runId, commit.checks),
      owners
    })
    for (const [table, stage] of stages) Stage.clear(stage, receipts[table]?.written ?? 0)
    first = false
    const rows = Object.fromEntries(Object.entries(receipts).map(([table, { written }]) => [table, written]))
    return { location: place, rows, tables: receipts }
  })

  return {
    resume: Option.fromUndefinedOr(opened.checkpoints.get(plan.pipeline)),
    columns: (table) => Option.fromUndefinedOr(stages.get(table)?.before),
    write,
    retainKeys,
    commit
  }
})

const heldOf = ({ owners, tables }: Database.Database, table: string): Owner.Held | undefined => {
  const stored = tables.get(table)
  return (
    stored && { owner: owners.get(table), shared: stored.columns.some(({ name }) => name === Sink.pipelineColumn.name) }
  )
}

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
