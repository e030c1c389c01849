/**
 * What follows the manifests of a lake and decides nothing: the Delta logs of its tables, and `read.sql`.
 *
 * They are written after a manifest. What a kill left out is written by whoever opens the lake next to change it.
 */
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as ObjectStore from "../../../src/pipeline/ObjectStore.ts"
import type * as Sink from "../../../src/pipeline/Sink.ts"
import * as DeltaLog from "../delta/DeltaLog.ts"
import { failure } from "../failure.ts"
import type * as Manifest from "./Manifest.ts"
import * as ReadSql from "./ReadSql.ts"

/**
 * Brings them to the newest manifest; the answer is the last version of each Delta log. `listed`: a listing of the lake,
 * newer than the manifest.
 */
export const mend = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  newest: Option.Option<Manifest.Manifest>,
  listed?: ReadonlyArray<ObjectStore.ObjectInfo>
): Effect.fn.Return<DeltaLog.Heads, Sink.SinkError> {
  const objects = listed ?? (yield* store.list("").pipe(Effect.mapError(failure(`cannot list ${store.location}`))))
  const heads = yield* DeltaLog.open(store, newest, objects)
  yield* ReadSql.mend(store, newest, objects)
  return heads
})

/** Brings them from one manifest to the next, which was just published. */
export const follow = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  heads: DeltaLog.Heads,
  next: Manifest.Manifest,
  before: Manifest.Manifest | undefined
): Effect.fn.Return<void, Sink.SinkError> {
  yield* DeltaLog.follow(store, heads, next, before)
  yield* ReadSql.put(store, next)
})
