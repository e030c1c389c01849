/** What the sink stores beside the rows: each manifest has its run, and the newest one has all the rest. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Checkpoint from "#engine/Checkpoint"
import type * as ObjectStore from "#engine/ObjectStore"
import type * as Sink from "#engine/Sink"
import { failure } from "./failure.ts"
import { openLake, openStore } from "./lake/openLake.ts"
import { ownersOf } from "./lake/tableOwners.ts"
import * as Manifest from "./manifest/Manifest.ts"
import * as Partition from "./manifest/Partition.ts"
import type { Options } from "./options.ts"

/** The runs that have committed, in the order of their last commits. */
export const runs = Effect.fn("parquet.runs")(function* (
  options: Options,
  directory: string
): Effect.fn.Return<ReadonlyArray<Sink.RunRecord>, Sink.SinkError, ObjectStore.ObjectStores> {
  const store = yield* openStore(options, directory)
  const all = yield* Manifest.readRuns(store).pipe(Effect.mapError(failure(`cannot read ${store.location}`)))
  const last = new Map<string, Sink.RunRecord>()
  for (const run of all) {
    // A run that commits again moves to the position of its last commit.
    last.delete(run.run_id)
    last.set(run.run_id, recordOf(run))
  }
  return [...last.values()]
})

/** The newest runs of a pipeline. Reads only as many manifests as it needs. */
export const newestRuns = Effect.fn("parquet.newestRuns")(function* (
  options: Options,
  directory: string,
  { count, pipeline }: { readonly pipeline: string; readonly count: number }
): Effect.fn.Return<ReadonlyArray<Sink.RunRecord>, Sink.SinkError, ObjectStore.ObjectStores> {
  const store = yield* openStore(options, directory)
  const found = new Map<string, Sink.RunRecord>()
  yield* Manifest.findRun(
    store,
    (run) => {
      if (run.pipeline === pipeline && !found.has(run.run_id)) found.set(run.run_id, recordOf(run))
      return found.size >= count
    },
    { skipsDamaged: true }
  ).pipe(Effect.mapError(failure(`cannot read ${store.location}`)))
  return [...found.values()].toReversed()
})

/** The last run of a pipeline under a caller's key. */
export const ranOnce = Effect.fn("parquet.ranOnce")(function* (
  options: Options,
  directory: string,
  { once, pipeline }: Sink.OnceKey
): Effect.fn.Return<Option.Option<Sink.RunRecord>, Sink.SinkError, ObjectStore.ObjectStores> {
  const store = yield* openStore(options, directory)
  const found = yield* Manifest.findRun(store, (run) => run.pipeline === pipeline && run.once === once, {
    skipsDamaged: false
  }).pipe(Effect.mapError(failure(`cannot read ${store.location}`)))
  return Option.map(found, recordOf)
})

/** The checks and profiles of these runs: those of the last manifest of each. */
export const details = Effect.fn("parquet.details")(function* (
  options: Options,
  directory: string,
  runIds: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<Sink.RunDetails>, Sink.SinkError, ObjectStore.ObjectStores> {
  const store = yield* openStore(options, directory)
  const wanted = new Set(runIds)
  const all = yield* Manifest.readAll(store, ({ checks = [], profiles = [], run, tables }) => {
    if (!wanted.has(run.run_id)) return undefined
    const own = Object.entries(tables).filter(([name]) => run.rows[name] !== undefined)
    const bytes = Object.fromEntries(own.map(([name, table]) => [name, table.bytes]))
    return { runId: run.run_id, checks, profiles, bytes }
  }).pipe(Effect.mapError(failure(`cannot read ${store.location}`)))
  const last = new Map(all.flatMap((found) => (found === undefined ? [] : [[found.runId, found] as const])))
  return runIds.flatMap((runId) => last.get(runId) ?? [])
})

const recordOf = (run: Manifest.Manifest["run"]): Sink.RunRecord => ({
  runId: run.run_id,
  pipeline: run.pipeline,
  startedAt: Partition.microsFromIso(run.started_at),
  committedAt: Partition.microsFromIso(run.committed_at),
  facts: run.facts,
  rows: run.rows,
  ...(run.once === undefined ? {} : { once: run.once })
})

/** The pipeline that owns each table. */
export const owners = Effect.fn("parquet.owners")(function* (
  options: Options,
  directory: string
): Effect.fn.Return<ReadonlyMap<string, string>, Sink.SinkError, ObjectStore.ObjectStores> {
  const { newest, store } = yield* openLake(options, directory)
  return yield* ownersOf(store, newest)
})

/** The checkpoint of the last commit of a pipeline. */
export const resume = (newest: Option.Option<Manifest.Manifest>, pipeline: string): Option.Option<Checkpoint.Stored> =>
  Option.flatMap(newest, ({ checkpoints }) =>
    Option.map(Option.fromUndefinedOr(checkpoints[pipeline]), ({ run_id, state }) => ({ runId: run_id, state }))
  )
