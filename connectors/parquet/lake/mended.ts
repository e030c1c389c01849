/** What a kill after a manifest has left out of a lake is written: whoever writes to it next does it first. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as ObjectStore from "../../../src/pipeline/ObjectStore.ts"
import type * as Sink from "../../../src/pipeline/Sink.ts"
import * as DeltaLog from "../delta/DeltaLog.ts"
import { failure } from "../failure.ts"
import type * as Manifest from "./Manifest.ts"

/** The heads of the logs, which say what the newest manifest says. `objects`: a listing of the lake, newer than it. */
export const mended = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  newest: Option.Option<Manifest.Manifest>,
  listed?: ReadonlyArray<ObjectStore.ObjectInfo>
): Effect.fn.Return<DeltaLog.Heads, Sink.SinkError> {
  const objects = listed ?? (yield* store.list("").pipe(Effect.mapError(failure(`cannot list ${store.location}`))))
  const heads = DeltaLog.headsOf(objects)
  if (Option.isSome(newest)) yield* DeltaLog.follow(store, heads, newest.value)
  return heads
})
