import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as TeamShares from "#service/cluster/TeamShares"
import { fairShares } from "#service/cluster/TeamShares"

const said = (process: string, turn: number, more: Partial<TeamShares.Statement>): TeamShares.Statement => ({
  process,
  turn,
  permits: 4,
  limit: 0,
  inFlight: 0,
  wants: [],
  ...more
})

describe("the place of a team", () => {
  it.effect("answers at once where the limit changes, and else after a second", () =>
    Effect.gen(function* () {
      const { tell } = yield* TeamShares.start(Effect.succeed(true))
      yield* TestClock.adjust(0)
      expect(yield* tell(said("one", 1, { wants: [3] }))).toBe(3)
      const next = yield* Effect.forkChild(tell(said("one", 2, { limit: 3, inFlight: 3, wants: [3] })))
      yield* TestClock.adjust(999)
      expect(next.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(1)
      expect(yield* Fiber.join(next)).toBe(3)
    })
  )

  it.effect("takes from one what another lacks, and gives it only when it has come back", () =>
    Effect.gen(function* () {
      const { inFlightBeside, tell } = yield* TeamShares.start(Effect.succeed(true))
      yield* TestClock.adjust(0)
      yield* tell(said("one", 1, { wants: [4] }))
      const one = yield* Effect.forkChild(tell(said("one", 2, { limit: 4, inFlight: 4, wants: [4] })))
      yield* TestClock.adjust(0)
      const other = yield* Effect.forkChild(tell(said("other", 1, { wants: [4] })))
      yield* TestClock.adjust(0)
      expect(yield* Fiber.join(one)).toBe(2)
      expect(other.pollUnsafe()).toBeUndefined()
      expect(yield* inFlightBeside("other")).toBe(4)
      yield* Effect.forkChild(tell(said("one", 3, { limit: 2, inFlight: 3, wants: [4] })))
      expect(yield* Fiber.join(other)).toBe(1)
    })
  )

  it.effect("leaves what is not used where it is, until others lack it", () =>
    Effect.gen(function* () {
      const { tell } = yield* TeamShares.start(Effect.succeed(true))
      yield* TestClock.adjust(0)
      yield* tell(said("one", 1, { wants: [2] }))
      const one = yield* Effect.forkChild(tell(said("one", 2, { limit: 2 })))
      yield* TestClock.adjust(0)
      expect(yield* tell(said("other", 1, { wants: [2] }))).toBe(2)
      yield* TestClock.adjust(0)
      expect(one.pollUnsafe()).toBeUndefined()
      yield* Effect.forkChild(tell(said("other", 2, { limit: 2, inFlight: 2, wants: [3] })))
      expect(yield* Fiber.join(one)).toBe(0)
    })
  )

  it.effect("does not believe a statement that was overtaken", () =>
    Effect.gen(function* () {
      const { inFlightBeside, tell } = yield* TeamShares.start(Effect.succeed(true))
      yield* TestClock.adjust(0)
      yield* tell(said("one", 7, { wants: [4] }))
      yield* Effect.forkChild(tell(said("one", 8, { limit: 4, inFlight: 4, wants: [4] })))
      yield* TestClock.adjust(0)
      expect(yield* tell(said("one", 6, { limit: 1, wants: [1] }))).toBe(1)
      expect(yield* inFlightBeside("other")).toBe(4)
    })
  )

  it.effect("forgets who says nothing, and gives nothing while it does not know who is there", () =>
    Effect.gen(function* () {
      const { inFlightBeside, tell } = yield* TeamShares.start(Effect.succeed(false))
      yield* Effect.forkChild(tell(said("one", 1, { limit: 3, inFlight: 3, wants: [3] })))
      const other = yield* Effect.forkChild(tell(said("other", 1, { wants: [1] })))
      yield* TestClock.adjust(900)
      expect(other.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(100)
      expect(yield* Fiber.join(other)).toBe(0)
      yield* TestClock.adjust("2 seconds")
      expect(yield* tell(said("other", 2, { wants: [2] }))).toBe(1)
      yield* TestClock.adjust("5 seconds")
      expect(yield* inFlightBeside("other")).toBe(0)
    })
  )
})

const shares = (permits: number, ...wants: ReadonlyArray<ReadonlyArray<number>>) =>
  fairShares(
    permits,
    wants.map((one) => ({ wants: one }))
  )

describe("permits of a team", () => {
  it("are what is wanted, where there is enough", () => {
    expect(shares(10, [2, 3], [1], [])).toEqual([5, 1, 0])
    expect(shares(Number.POSITIVE_INFINITY, [2, 3], [1000])).toEqual([5, 1000])
  })

  it("are shared evenly between jobs, not between processes", () => {
    expect(shares(9, [100, 100], [100])).toEqual([6, 3])
  })

  it("go to the others where a job wants less than its share", () => {
    expect(shares(10, [1, 100], [100])).toEqual([6, 4])
    expect(shares(100, [7], [2, 1000], [1000])).toEqual([7, 48, 45])
  })

  it("go one by one to those that stand first, where there is less than one for each", () => {
    expect(shares(2, [5], [5], [5])).toEqual([1, 1, 0])
    expect(shares(1, [0], [5, 5], [5])).toEqual([0, 1, 0])
    expect(shares(0, [5])).toEqual([0])
  })
})
