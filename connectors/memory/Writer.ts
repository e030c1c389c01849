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
import type * as Table from "../../src/pipeline/Table.ts"
import * as Database from "./Database.ts"
import { mergeByKey, mergeByParent, type Staged } from "./merge.ts"
import type { Options } from "./Options.ts"

export const open = Effect.fn("memory.open")(function* (
  options: Options,
  plan: Sink.Plan
): Effect.fn.Return<Sink.Writer, Sink.SinkError, Scope.Scope> {
  const fault = mergeFault(plan.tables)
  if (fault !== undefined) return yield* fail(fault)
  yield* claim(options.name)
  const writes = new Map(plan.tables.map((each) => [each.table.name, each]))
  const stage = new Map<string, Array<Staged>>()
  const replaced = new Set<string>()
  let batches = 0

  const write = Effect.fnUntraced(function* (batch: Table.Batch) {
    const planned = writes.get(batch.table.name)
    if (planned === undefined) return yield* fail(`table ${batch.table.name} is not in the plan of this run`)
    const fault = rowFault(planned, batch.rows)
    if (fault !== undefined) return yield* fail(fault)
    const staged = stage.get(batch.table.name) ?? []
    stage.set(batch.table.name, staged)
    batches += 1
    for (const row of batch.rows) staged.push({ row, batch: batches })
  })

  const merged = ({ table, write }: Sink.TablePlan, present: ReadonlyArray<Table.Row>): ReadonlyArray<Table.Row> => {
    const staged = stage.get(table.name) ?? []
    const rows = staged.map(({ row }) => row)
    if (write === "replace" && !replaced.has(table.name)) return rows
    if (write !== "merge") return [...present, ...rows]
    return table.parent === undefined
      ? mergeByKey(table.key, present, rows)
      : mergeByParent(table.parent, present, staged, stage.get(table.parent.table) ?? [])
  }

  const commit = (commit: Sink.Commit) =>
    Effect.sync((): Sink.Receipt => {
      const before = Database.read(options.name)
      const tables = new Map(before.tables)
      const runs = new Map(before.runs)
      // A run that commits again is where its last commit is.
      runs.delete(commit.run.runId)
      for (const planned of plan.tables) {
        tables.set(planned.table.name, merged(planned, before.tables.get(planned.table.name) ?? []))
      }
      Database.replace(options.name, {
        tables,
        checkpoints: new Map(before.checkpoints).set(plan.pipeline, commit.checkpoint),
        runs: runs.set(commit.run.runId, commit.run)
      })
      const rows = Object.fromEntries(plan.tables.map(({ table }) => [table.name, stage.get(table.name)?.length ?? 0]))
      for (const { table } of plan.tables) replaced.add(table.name)
      stage.clear()
      return { location: `memory:${options.name}`, rows }
    })

  const resume = Option.fromUndefinedOr(Database.read(options.name).checkpoints.get(plan.pipeline))
  return { resume, write, commit }
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

const fail = (message: string) => Effect.fail(new Sink.SinkError({ sink: "memory", message, retryable: false }))
