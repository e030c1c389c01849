/**
 * The writer of the DuckDB sink: one transaction for each commit.
 *
 * The law: rows, child tables, checkpoint and the run's record become visible in one COMMIT. A writer that failed once
 * is done for: its transaction may be half of something, so every later call fails and closing rolls back. append and
 * replace write into the file all the while, in the open transaction. Where every table merges or is a history, rows wait
 * outside of the file, and a commit that lacks memory is rolled back and tried once more with more.
 */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Database from "../../src/duckdb/Database.ts"
import type * as Sink from "../../src/pipeline/Sink.ts"
import { planFault, rowFault } from "../../src/pipeline/SinkPlan.ts"
import { strictWriter } from "../../src/pipeline/SinkWriter.ts"
import type * as Table from "../../src/pipeline/Table.ts"
import { merge } from "./dispositions/merge.ts"
import * as Replace from "./dispositions/replace.ts"
import * as History from "./dispositions/scd2.ts"
import { failure } from "./failure.ts"
import * as Target from "./file/AttachedDatabase.ts"
import * as Place from "./file/Place.ts"
import * as Published from "./file/PublishedCopy.ts"
import * as Ledger from "./ledger/LoadTables.ts"
import * as Owners from "./ledger/TableOwners.ts"
import type { Options } from "./options.ts"
import * as Stage from "./stage.ts"
import { showCurrent } from "./table/currentView.ts"

export const open = Effect.fn("duckdb.open")(function* (
  options: Options,
  plan: Sink.Plan
): Effect.fn.Return<Sink.Writer, Sink.SinkError, Scope.Scope> {
  const place = Place.of(options)
  const fault = planFault(plan.tables) ?? Place.faultOf(place)
  if (fault !== undefined) return yield* failure(fault)()
  const opened = yield* Target.open(options.path, plan.directory)
  const { database, file } = opened
  const published = options.publish === undefined ? undefined : yield* publishedAt(opened, place, options.publish, plan)
  if (published !== undefined) yield* published.catchUp
  const stages = new Map<string, Stage.Stage>()
  for (const planned of plan.tables) stages.set(planned.table.name, yield* Stage.make(database, place, planned))
  const ordered = parentsFirst(stages)

  /** Whether rows are written into the file before the commit, so that a transaction is open all the while. */
  const isDirect = plan.tables.some((planned) => !Stage.waits(planned))
  const watches = options.removed === "close"
  let isFirst = true
  let isOpen = false
  let isBegun = false
  let again = plan.again === true

  const howOf = (owners: ReadonlyMap<string, string>, { table }: Stage.Stage) => ({
    place,
    evolve: plan.evolve,
    owner: owners.get(table.name.toLowerCase())
  })

  /** What a transaction does before any row: the sink's own tables, whose each table is, and the tables themselves. */
  let owners: ReadonlyMap<string, string> = new Map()
  const makeReady = Effect.gen(function* () {
    yield* database.run("BEGIN")
    isOpen = true
    yield* Ledger.prepare(database, place)
    if (isFirst) owners = yield* Owners.claim(database, place, plan)
    for (const stage of stages.values()) {
      if (isFirst || stage.write === "replace") yield* Stage.makeReady(database, stage, howOf(owners, stage))
      if (isFirst && stage.write === "scd2") yield* showCurrent(database, place, stage.table.name, [...stages.keys()])
    }
  })
  const rollback = Effect.andThen(
    Effect.ignore(database.run("ROLLBACK")),
    Effect.sync(() => {
      isOpen = false
    })
  )
  /** Tries once more with more memory. The first failure aborted the transaction, so it is all of it that is tried again. */
  const onceMore = <A>(transaction: Effect.Effect<A, Failure>): Effect.Effect<A, Failure> =>
    Effect.catchIf(transaction, Database.isOutOfMemory, () =>
      Effect.andThen(rollback, database.withHighestMemoryLimit(transaction))
    )

  const begin = Effect.gen(function* () {
    if (isBegun) return
    if (isDirect && !isOpen) yield* makeReady
    for (const stage of stages.values()) {
      yield* Stage.begin(database, stage, isFirst)
      if (again && stage.write === "append") yield* Stage.clear(database, stage, plan.runId)
    }
    isBegun = true
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
        child.parentBatchOffsets.push({ from: stage.written, before: child.written })
      }
    }
    for (const row of batch.rows) {
      if (Stage.add(stage, row)) yield* Stage.flush(database, stage, place)
    }
  })

  const retainKeys = Effect.fnUntraced(function* (table: string, keys: ReadonlyArray<Table.Row>) {
    const stage = yield* stageOf(table, keys)
    const isHeeded = stage.write === "replace" || (watches && stage.write === "scd2")
    if (isHeeded && keys.length > 0 && stage.table.key.length > 0) yield* Stage.keep(database, stage, keys)
  })

  const settle = Effect.fnUntraced(function* (stage: Stage.Stage, { run, complete }: Sink.Commit) {
    if (again && Stage.waits(stage)) yield* Stage.clear(database, stage, plan.runId)
    if (stage.write === "merge") return yield* merge(database, stage, stages.get(stage.table.parent?.table ?? ""))
    if (stage.write !== "scd2") return { written: stage.rows, unchanged: 0, superseded: 0 }
    const removed = watches ? (complete ? "close" : "watch") : "keep"
    const visit = { at: run.startedAt, removed, pipeline: plan.shared === true ? plan.pipeline : undefined } as const
    if (again) yield* History.forget(database, stage, visit)
    return yield* History.remember(database, stage, visit)
  })

  /** Makes the rows that were written beside each replaced table that table; the answer is what stayed of the old ones. */
  const replaceAll = Effect.fnUntraced(function* (complete: boolean) {
    const stays = new Map<string, Replace.Staying>()
    const replaced = ordered.filter(({ write }) => write === "replace")
    const of = (stage: Stage.Stage) => ({ how: howOf(owners, stage), complete, goesOn: !isFirst, plan })
    for (const stage of replaced) {
      const parent = replaced.find(({ table }) => table.name === stage.table.parent?.table)
      const staying = parent === undefined ? undefined : stays.get(parent.table.name)
      const above = parent === undefined || staying === undefined ? undefined : { stage: parent, staying }
      const found = Replace.findStaying(database, stage, of(stage), above)
      stays.set(
        stage.table.name,
        yield* database.withRaisedMemoryLimit(found).pipe(Effect.mapError(Stage.inTable(stage)))
      )
    }
    for (const stage of replaced) {
      const staying = stays.get(stage.table.name)
      if (staying === undefined) continue
      const settled = Replace.settle(database, stage, of(stage), staying)
      yield* database.withRaisedMemoryLimit(settled).pipe(Effect.mapError(Stage.inTable(stage)))
    }
    return stays
  })

  const transact = Effect.fnUntraced(function* (commit: Sink.Commit) {
    if (!isDirect) yield* makeReady
    const tables: Record<string, Sink.TableResult> = {}
    const stays = yield* replaceAll(commit.complete)
    for (const stage of ordered) {
      const settled = yield* settle(stage, commit).pipe(Effect.mapError(Stage.inTable(stage)))
      const { name } = stage.table
      tables[name] = { received: stage.written, ...settled, kept: stays.get(name)?.kept ?? 0 }
    }
    const rows = Object.fromEntries(Object.entries(tables).map(([name, { written }]) => [name, written]))
    yield* Ledger.record(database, place, plan, commit, rows)
    // Rows of few are appended to what is there only now.
    yield* Effect.uninterruptible(database.withRaisedMemoryLimit(database.run("COMMIT")))
    return { rows, tables }
  })

  const commit = Effect.fn("duckdb.commit")(
    function* (commit: Sink.Commit) {
      yield* begin
      for (const stage of stages.values()) yield* Stage.flush(database, stage, place)
      // Rows that are in the transaction already would be lost with it: what a second try would have, it has at once.
      const { rows, tables } = yield* isDirect
        ? database.withHighestMemoryLimit(transact(commit))
        : onceMore(transact(commit))
      again = isFirst = isOpen = isBegun = false
      if (published !== undefined) yield* published.publish
      return { location: published?.path ?? file, rows, tables }
    },
    Effect.mapError(during(`cannot commit to ${file}`))
  )

  const resume = yield* onceMore(Effect.andThen(makeReady, Ledger.resume(database, place, plan.pipeline))).pipe(
    Effect.mapError(during(`cannot begin to write ${file}`))
  )
  // Where all rows wait for the commit, the file stays as it is until then, and a commit can be tried twice.
  if (!isDirect) yield* rollback
  yield* begin
  const columns = (table: string) => Option.fromUndefinedOr(stages.get(table)?.ready.before)
  return strictWriter("duckdb", { resume, columns, write, retainKeys, commit })
})

type Failure = Database.DatabaseError | Sink.SinkError

/** A child is merged by the keys that its parent's rows are known by once their doubles are gone. */
const parentsFirst = (stages: ReadonlyMap<string, Stage.Stage>): ReadonlyArray<Stage.Stage> => {
  const depth = ({ table }: Stage.Stage): number => {
    const parent = stages.get(table.parent?.table ?? "")
    return parent === undefined ? 0 : 1 + depth(parent)
  }
  return [...stages.values()].toSorted((a, b) => depth(a) - depth(b))
}

const publishedAt = (target: Target.Target, place: Place.Place, path: string, plan: Sink.Plan) => {
  const absolute = Path.resolve(plan.directory, path)
  return absolute === target.file
    ? Effect.fail(failure(`publish and path are both ${absolute}: name another file for readers`)())
    : Effect.succeed(Published.make(target, place, absolute))
}

/** Keeps what already names a table, and says of the rest what was being done. */
const during = (doing: string) => (error: Database.DatabaseError | Sink.SinkError) =>
  error._tag === "SinkError" ? error : failure(doing)(error)
