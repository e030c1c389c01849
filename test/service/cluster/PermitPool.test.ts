import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { expect } from "vitest"
import * as PermitPool from "#service/cluster/PermitPool"

/** A pool with a clock that the test sets, and a count of how often it spoke. */
const pooled = () => {
  const state = { now: 0, spoken: 0 }
  const pool = PermitPool.create(
    () => state.now,
    () => void (state.spoken += 1)
  )
  const begun: Array<string> = []
  const page = (job: string) => {
    const turn = pool.turn(job)
    const started = Effect.map(turn.begun, () => void begun.push(job))
    return Effect.as(Effect.forkChild(started, { startImmediately: true }), turn)
  }
  return { state, pool, begun, page }
}

describe("the permits of a team in one process", () => {
  it.effect("begin as many pages as were allowed, job by job", () =>
    Effect.gen(function* () {
      const { begun, page, pool } = pooled()
      for (const job of ["a", "a", "a", "b", "b", "c"]) yield* page(job)
      expect(begun).toEqual([])
      pool.allow(5, 1000)
      expect(begun.toSorted()).toEqual(["a", "a", "b", "b", "c"])
      expect(begun.slice(0, 3)).toEqual(["a", "b", "c"])
      expect(pool.statement()).toEqual({ limit: 5, inFlight: 5, wants: expect.arrayContaining([3, 2, 1]) })
    })
  )

  it.effect("are used again without a word", () =>
    Effect.gen(function* () {
      const { begun, page, pool, state } = pooled()
      const first = yield* page("a")
      expect(state.spoken).toBe(1)
      pool.statement()
      pool.allow(1, 1000)
      yield* page("a")
      // The team does not know of the second page.
      expect(state.spoken).toBe(2)
      pool.statement()
      yield* first.end
      const third = yield* page("a")
      yield* page("a")
      yield* third.end
      expect(begun).toEqual(["a", "a"])
      expect(state.spoken).toBe(2)
    })
  )

  it.effect("begin nothing once they were not confirmed in time, and not by an answer that is too old", () =>
    Effect.gen(function* () {
      const { begun, page, pool, state } = pooled()
      pool.allow(2, 1000)
      const first = yield* page("a")
      expect(begun).toEqual(["a"])
      state.now = 1000
      yield* page("a")
      pool.allow(5, 900)
      yield* page("a")
      yield* first.end
      expect(begun).toEqual(["a"])
      expect(pool.isConfirmed()).toBe(false)
      expect(pool.statement()).toMatchObject({ limit: 0, inFlight: 0 })
      pool.allow(2, 2000)
      expect(begun).toEqual(["a", "a", "a"])
    })
  )

  it.effect("go back with each page that ends over a limit that was lowered, and the team hears of it", () =>
    Effect.gen(function* () {
      const { begun, page, pool, state } = pooled()
      pool.allow(2, 10_000)
      const turns = [yield* page("a"), yield* page("a")]
      yield* page("a")
      pool.statement()
      pool.allow(1, 10_000)
      const spoken = state.spoken
      yield* turns[0]?.end ?? Effect.void
      expect(state.spoken).toBe(spoken + 1)
      expect(begun).toHaveLength(2)
      expect(pool.statement()).toMatchObject({ limit: 1, inFlight: 1 })
      yield* turns[1]?.end ?? Effect.void
      expect(begun).toHaveLength(3)
    })
  )

  it.effect("go back where no page has used them for two seconds", () =>
    Effect.gen(function* () {
      const { page, pool, state } = pooled()
      pool.allow(3, 10_000)
      const turns = [yield* page("a"), yield* page("a"), yield* page("b")]
      yield* Effect.forEach(turns, ({ end }) => end)
      state.now = 1000
      expect(pool.statement()).toEqual({ limit: 3, inFlight: 0, wants: [2, 1] })
      state.now = 2000
      expect(pool.statement()).toEqual({ limit: 0, inFlight: 0, wants: [] })
    })
  )

  it.effect("are not lost with a page that is given up, waiting or begun", () =>
    Effect.gen(function* () {
      const { pool } = pooled()
      pool.allow(1, 1000)
      const page = () => {
        const turn = pool.turn("a")
        const whole = Effect.ensuring(Effect.andThen(turn.begun, Effect.never), turn.end)
        return Effect.forkChild(whole, { startImmediately: true })
      }
      const fibers = [yield* page(), yield* page()]
      for (const fiber of fibers.toReversed()) yield* Fiber.interrupt(fiber)
      expect(pool.inFlight()).toBe(0)
      yield* page()
      expect(pool.inFlight()).toBe(1)
    })
  )
})
