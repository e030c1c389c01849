import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { inGivenTurn } from "#service/cluster/inGivenTurn"

describe("work in a turn that an entity gives", () => {
  it.effect("begins once, when the turn has come, and asks for it again while it does not", () =>
    Effect.gen(function* () {
      let asked = 0
      const turn = Stream.suspend(() => (++asked < 3 ? Stream.fail("moved") : Stream.make(true)))
      const work = yield* Effect.forkChild(inGivenTurn(turn, Effect.succeed("done")))
      yield* TestClock.adjust("399 millis")
      const early = [asked, work.pollUnsafe()]
      yield* TestClock.adjust("1 millis")

      expect(early).toEqual([2, undefined])
      expect(yield* Fiber.join(work)).toBe("done")
      yield* TestClock.adjust("10 seconds")
      expect(asked).toBe(3)
    })
  )
})
