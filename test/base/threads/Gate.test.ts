import { describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { afterEach, beforeEach, expect, vi } from "vitest"
import { Gate } from "#base/Gate"

/** Works that end when they are told to, and who has begun. */
const works = (gate: Gate) => {
  const begun: Array<string> = []
  const ends = new Map<string, Deferred.Deferred<void>>()
  const start = Effect.fnUntraced(function* (name: string) {
    const end = yield* Deferred.make<void>()
    ends.set(name, end)
    const work = Effect.andThen(
      Effect.sync(() => begun.push(name)),
      Deferred.await(end)
    )
    return yield* Effect.forkChild(gate.within(work), { startImmediately: true })
  })
  const end = Effect.fnUntraced(function* (name: string) {
    const own = ends.get(name)
    if (own !== undefined) yield* Deferred.succeed(own, undefined)
    yield* Effect.yieldNow
  })
  return { begun, start, end }
}

describe("a gate", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }))
  afterEach(() => void vi.useRealTimers())

  it.live("lets as many in as there are places, in their order", () =>
    Effect.gen(function* () {
      const { begun, end, start } = works(new Gate({ places: 2, spare: 0, patienceMillis: 1 }))
      for (const name of ["a", "b", "c", "d"]) yield* start(name)
      expect(begun).toEqual(["a", "b"])
      yield* end("b")
      yield* end("a")
      expect(begun).toEqual(["a", "b", "c", "d"])
    })
  )

  it.live("lets who has waited for long in beside others, as far as there is room", () =>
    Effect.gen(function* () {
      const { begun, end, start } = works(new Gate({ places: 1, spare: 1, patienceMillis: 5 }))
      for (const name of ["stuck", "a", "b", "c"]) yield* start(name)
      vi.advanceTimersByTime(4)
      expect(begun).toEqual(["stuck"])
      vi.advanceTimersByTime(1)
      expect(begun).toEqual(["stuck", "a"])
      yield* end("a")
      yield* end("b")
      expect(begun).toEqual(["stuck", "a", "b", "c"])
    })
  )

  it.live("keeps no place for who has gone, waiting or inside", () =>
    Effect.gen(function* () {
      const { begun, start } = works(new Gate({ places: 1, spare: 0, patienceMillis: 1 }))
      const inside = yield* start("a")
      const waiting = yield* start("b")
      yield* Fiber.interrupt(waiting)
      yield* start("c")
      yield* Fiber.interrupt(inside)
      yield* Effect.yieldNow
      expect(begun).toEqual(["a", "c"])
    })
  )

  it.live("gives the place of a failure to the next", () =>
    Effect.gen(function* () {
      const gate = new Gate({ places: 1, spare: 0, patienceMillis: 1 })
      expect(yield* Effect.flip(gate.within(Effect.fail("no")))).toBe("no")
      expect(yield* gate.within(Effect.succeed("yes"))).toBe("yes")
    })
  )
})
