import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect, it } from "vitest"
import * as TimeLimits from "#web/fetch/TimeLimits"

const run = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) =>
  Effect.runPromise(Effect.provide(Effect.scoped(effect), TestClock.layer()))

/** Something that a test ends when it likes, and that knows whether it was stopped. */
const asked = () => {
  const said: { end: (text: string) => void; isStopped: boolean } = { end: () => {}, isStopped: false }
  const begin = (resume: TimeLimits.Resume<string, string>) => {
    said.end = (text) => resume(Effect.succeed(text))
    return () => {
      said.isStopped = true
    }
  }
  return { said, begin }
}
const late = () => Effect.fail("late")

describe("the time limit of an exchange", () => {
  it("is nothing to one that ends in time", () =>
    run(
      Effect.gen(function* () {
        const limits = yield* TimeLimits.start
        const { begin, said } = asked()
        const fiber = yield* Effect.forkChild(limits.within(1000, late, begin), { startImmediately: true })
        yield* TestClock.adjust(999)
        said.end("page")
        expect(yield* Fiber.join(fiber)).toBe("page")
        yield* TestClock.adjust(5000)
        expect(said.isStopped).toBe(false)
      })
    ))

  it("stops each that is late at its own time, and none before", () =>
    run(
      Effect.gen(function* () {
        const limits = yield* TimeLimits.start
        const [first, second] = [asked(), asked()]
        const start = (begin: typeof first.begin) =>
          Effect.forkChild(Effect.flip(limits.within(1000, late, begin)), { startImmediately: true })
        const one = yield* start(first.begin)
        yield* TestClock.adjust(600)
        const two = yield* start(second.begin)
        yield* TestClock.adjust(400)
        expect(yield* Fiber.join(one)).toBe("late")
        expect([first.said.isStopped, second.said.isStopped]).toEqual([true, false])
        yield* TestClock.adjust(600)
        expect(yield* Fiber.join(two)).toBe("late")
        expect(second.said.isStopped).toBe(true)
      })
    ))

  it("is its own where another has longer", () =>
    run(
      Effect.gen(function* () {
        const limits = yield* TimeLimits.start
        const [long, short] = [asked(), asked()]
        yield* Effect.forkChild(limits.within(30_000, late, long.begin), { startImmediately: true })
        const fiber = yield* Effect.forkChild(Effect.flip(limits.within(1000, late, short.begin)), {
          startImmediately: true
        })
        yield* TestClock.adjust(1000)
        expect(yield* Fiber.join(fiber)).toBe("late")
        expect(long.said.isStopped).toBe(false)
      })
    ))

  it("holds again after a time in which nobody asked", () =>
    run(
      Effect.gen(function* () {
        const limits = yield* TimeLimits.start
        const before = asked()
        const fiber = yield* Effect.forkChild(limits.within(1000, late, before.begin), { startImmediately: true })
        before.said.end("page")
        yield* Fiber.join(fiber)
        yield* TestClock.adjust(60_000)
        const after = asked()
        const next = yield* Effect.forkChild(Effect.flip(limits.within(1000, late, after.begin)), {
          startImmediately: true
        })
        yield* TestClock.adjust(1000)
        expect(yield* Fiber.join(next)).toBe("late")
      })
    ))

  it("stops what is interrupted", () =>
    run(
      Effect.gen(function* () {
        const limits = yield* TimeLimits.start
        const { begin, said } = asked()
        const fiber = yield* Effect.forkChild(limits.within(1000, late, begin), { startImmediately: true })
        yield* Fiber.interrupt(fiber)
        expect(said.isStopped).toBe(true)
      })
    ))
})
