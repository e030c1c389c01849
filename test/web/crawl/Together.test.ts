import { expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Together from "#web/Together"

it.effect("what comes in one turn is done in one, in its order, and what comes later by itself", () =>
  Effect.gen(function* () {
    const done: Array<ReadonlyArray<number>> = []
    const together = Together.grouped((some: ReadonlyArray<number>, close) =>
      Effect.sync(() => {
        close()
        done.push([...some])
      })
    )
    yield* Effect.forEach([1, 2, 3], together, { concurrency: "unbounded" })
    yield* together(4)

    expect(done).toEqual([[1, 2, 3], [4]])
  })
)

it.effect("who comes while the doing waits to begin is of it, and who comes after it began is not", () =>
  Effect.gen(function* () {
    const done: Array<ReadonlyArray<number>> = []
    const [mayBegin, hasBegun, mayEnd] = [
      yield* Deferred.make<void>(),
      yield* Deferred.make<void>(),
      yield* Deferred.make<void>()
    ]
    const together = Together.grouped(
      Effect.fnUntraced(function* (some: ReadonlyArray<number>, close) {
        yield* Deferred.await(mayBegin)
        close()
        done.push([...some])
        yield* Deferred.succeed(hasBegun, undefined)
        yield* Deferred.await(mayEnd)
      })
    )
    const fibers = [yield* Effect.forkChild(together(1))]
    yield* Effect.yieldNow
    fibers.push(yield* Effect.forkChild(together(2)))
    yield* Effect.yieldNow
    yield* Deferred.succeed(mayBegin, undefined)
    yield* Deferred.await(hasBegun)
    fibers.push(yield* Effect.forkChild(together(3)))
    yield* Deferred.succeed(mayEnd, undefined)
    yield* Fiber.awaitAll(fibers)

    expect(done).toEqual([[1, 2], [3]])
  })
)

it.effect("each fails as the doing fails, and the next goes on", () =>
  Effect.gen(function* () {
    let turns = 0
    const together = Together.grouped<number, string, never>(() =>
      Effect.suspend(() => (turns++ === 0 ? Effect.fail("no room") : Effect.void))
    )
    const exits = yield* Effect.forEach([1, 2], (one) => Effect.exit(together(one)), { concurrency: "unbounded" })

    expect(exits).toEqual([Exit.fail("no room"), Exit.fail("no room")])
    expect(yield* Effect.exit(together(3))).toEqual(Exit.void)
  })
)
