import { describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import * as Receivers from "../../../src/service/webhooks/Receivers.ts"

const dead = { teamId: "a", url: "https://dead.example/hook" }
const healthy = { teamId: "a", url: "https://healthy.example/hook" }

describe("receivers of webhooks", () => {
  it.effect("that hang keep only their own deliveries waiting, also those of the same team", () =>
    Effect.gen(function* () {
      const receivers = Receivers.make()
      const never = yield* Deferred.make<{ readonly arrived: boolean }>()
      let inFlight = 0
      const hangs = Effect.suspend(() => {
        inFlight += 1
        return Deferred.await(never)
      })
      yield* Effect.forEach(Array.from({ length: 500 }), () => Effect.forkChild(receivers.inTurn(dead, hangs)))
      yield* Effect.yieldNow
      const arrived = yield* Effect.forEach(
        Array.from({ length: 100 }),
        () => receivers.inTurn(healthy, Effect.succeed({ arrived: true })),
        { concurrency: "unbounded" }
      )

      expect(inFlight).toBe(16)
      expect(arrived).toHaveLength(100)
    })
  )

  it.effect(
    "that fail five times in a row are left alone, asked once every 30 s, and served at once when they are back",
    () =>
      Effect.gen(function* () {
        const receivers = Receivers.make()
        const asked: Array<number> = []
        let isBack = false
        const attempt = Effect.gen(function* () {
          asked.push(yield* Clock.currentTimeMillis)
          return { arrived: isBack }
        })
        const all = yield* Effect.forEach(Array.from({ length: 20 }), () =>
          Effect.forkChild(receivers.inTurn(dead, attempt))
        )
        yield* TestClock.adjust("29 seconds")
        expect(asked).toEqual([0, 0, 0, 0, 0])
        yield* TestClock.adjust("31 seconds")
        expect(asked.slice(5)).toEqual([30_000, 60_000])
        isBack = true
        yield* TestClock.adjust("30 seconds")
        yield* Effect.forEach(all, Fiber.join)

        expect(asked.slice(7)).toEqual(Array.from({ length: 13 }, () => 90_000))
      })
  )

  it.effect("are those of one team", () =>
    Effect.gen(function* () {
      const receivers = Receivers.make()
      const failing = receivers.inTurn(dead, Effect.succeed({ arrived: false }))
      const waiting = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 6 }), () => failing, { discard: true })
      )
      yield* Effect.forEach(Array.from({ length: 5 }), () => Effect.yieldNow)
      const other = yield* receivers.inTurn({ ...dead, teamId: "b" }, Effect.succeed({ arrived: true }))

      expect(other.arrived).toBe(true)
      yield* Fiber.interrupt(waiting)
    })
  )
})
