/**
 * Holds pages until they are requested again.
 *
 * Each page returns once, at its time. The number of pages in memory is limited, and a caller with one more waits until
 * there is room. The pages are dropped with the scope.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { monotonicMillis } from "../monotonicMillis.ts"

/** Puts an item aside until this time (`monotonicMillis`). */
type PutAside<A> = (item: A, at: number) => Effect.Effect<void, never, Scope.Scope>

/** `again`: receives an item when its time has come. */
export const open = Effect.fnUntraced(function* <A>(again: (item: A) => Effect.Effect<void>) {
  const places = yield* Semaphore.make(maxItems)

  const comeBack = Effect.fnUntraced(function* (item: A, at: number) {
    yield* Effect.sleep(Math.max(0, at - (yield* monotonicMillis)))
    yield* places.release(1)
    yield* again(item)
  })
  const putAside: PutAside<A> = (item, at) =>
    Effect.andThen(places.take(1), Effect.asVoid(Effect.forkScoped(comeBack(item, at))))
  return putAside
})

const maxItems = 1000
