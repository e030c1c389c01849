import { describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import * as Receiver from "#service/webhooks/Receiver"
import * as Receivers from "#service/webhooks/Receivers"

const dead = { teamId: "a", url: "https://dead.example/hook" }
const healthy = { teamId: "a", url: "https://healthy.example/hook" }

describe("receivers of webhooks", () => {
  it.effect("that hang keep only their own deliveries waiting, also those of the same team", () =>
    Effect.gen(function* () {
      const receivers = Receivers.create(() => Receiver.create(Receiver.defaults))
      const never = yield* Deferred.make<{ readonly answered: boolean }>()
      let inFlight = 0
      const hangs = Effect.suspend(() => {
        inFlight += 1
        return Deferred.await(never)
      })
      yield* Effect.forEach(Array.from({ length: 500 }), () => Effect.forkChild(receivers.inTurn(dead, hangs)))
      yield* Effect.yieldNow
      const arrived = yield* Effect.forEach(
        Array.from({ length: 100 }),
        () => receivers.inTurn(healthy, Effect.succeed({ answered: true })),
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
        const receivers = Receivers.create(() => Receiver.create(Receiver.defaults))
        const asked: Array<number> = []
        let isBack = false
        const attempt = Effect.gen(function* () {
          asked.push(yield* Clock.currentTimeMillis)
          return { answered: isBack }
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

  it.effect("that are left alone are asked with the next delivery at once where there was none to make", () =>
    Effect.gen(function* () {
      const receivers = Receivers.create(() => Receiver.create(Receiver.defaults))
      const failing = receivers.inTurn(dead, Effect.succeed({ answered: false }))
      yield* Effect.forEach(Array.from({ length: 5 }), () => failing, { discard: true })
      const made: Array<string> = []
      const attempt = (name: string, answered: boolean | null) =>
        Effect.sync(() => {
          made.push(name)
          return { answered }
        })
      const all = yield* Effect.forEach([attempt("none", null), attempt("some", true), attempt("others", true)], (of) =>
        Effect.forkChild(receivers.inTurn(dead, of))
      )
      yield* TestClock.adjust("30 seconds")
      yield* Effect.forEach(all, Fiber.join)

      expect(made).toEqual(["none", "some", "others"])
    })
  )

  it.effect("are those of one team", () =>
    Effect.gen(function* () {
      const receivers = Receivers.create(() => Receiver.create(Receiver.defaults))
      const failing = receivers.inTurn(dead, Effect.succeed({ answered: false }))
      const waiting = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 6 }), () => failing, { discard: true })
      )
      yield* Effect.forEach(Array.from({ length: 5 }), () => Effect.yieldNow)
      const other = yield* receivers.inTurn({ ...dead, teamId: "b" }, Effect.succeed({ answered: true }))

      expect(other.answered).toBe(true)
      yield* Fiber.interrupt(waiting)
    })
  )
})
