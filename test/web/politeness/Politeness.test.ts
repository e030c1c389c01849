import { describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { Politeness } from "#web/Politeness"
import { setClock } from "./setClock.ts"

const polite = Effect.provide(Politeness.layer({ perHost: 2 }))

/** Exchanges that take a second each, and when each of them began. */
const ledger = Effect.gen(function* () {
  const politeness = yield* Politeness
  const starts: Array<readonly [name: string, at: number]> = []
  const exchange = (name: string, millis = 1000) =>
    Effect.gen(function* () {
      starts.push([name, yield* Clock.currentTimeMillis])
      yield* Effect.sleep(millis)
    })
  const take = (host: string, name: string, delay = 0, millis = 1000) =>
    politeness.take(host, delay, exchange(name, millis))
  return { starts, take, politeness }
})

describe("politeness", () => {
  it.effect("has at most so many exchanges with one host in flight, and other hosts do not wait", () =>
    Effect.gen(function* () {
      const { starts, take } = yield* ledger
      const names = ["1", "2", "3", "4", "5"]
      yield* Effect.forkChild(Effect.forEach(names, (name) => take("a", name), { concurrency: 5 }))
      yield* Effect.forkChild(take("b", "other"))
      yield* TestClock.adjust("10 seconds")

      expect(starts).toEqual([
        ...["1", "2", "other"].map((name) => [name, 0]),
        ...["3", "4"].map((name) => [name, 1000]),
        ["5", 2000]
      ])
    }).pipe(polite)
  )

  it.effect("does those that keep a distance one at a time, and lets it pass from the end of one to the next", () =>
    Effect.gen(function* () {
      const { starts, take } = yield* ledger
      const names = ["1", "2", "3"]
      yield* Effect.forkChild(Effect.forEach(names, (name) => take("quick", name, 5000), { concurrency: 3 }))
      yield* Effect.forkChild(Effect.forEach(names, (name) => take("slow", `s${name}`, 500), { concurrency: 3 }))
      yield* TestClock.adjust("1 minute")

      expect(starts.filter(([name]) => !name.startsWith("s"))).toEqual([
        ["1", 0],
        ["2", 6000],
        ["3", 12_000]
      ])
      expect(starts.filter(([name]) => name.startsWith("s"))).toEqual([
        ["s1", 0],
        ["s2", 1500],
        ["s3", 3000]
      ])
    }).pipe(polite)
  )

  it.effect("counts those that keep a distance among those in flight, and does not slow the others down", () =>
    Effect.gen(function* () {
      const { starts, take } = yield* ledger
      yield* Effect.forkChild(take("a", "delayed", 60_000, 3000))
      yield* Effect.forkChild(Effect.forEach(["1", "2", "3"], (name) => take("a", name), { concurrency: 3 }))
      yield* TestClock.adjust("10 seconds")

      expect(starts).toEqual([
        ["delayed", 0],
        ["1", 0],
        ["2", 1000],
        ["3", 2000]
      ])
    }).pipe(polite)
  )

  it.effect("is neither held up nor hurried by a clock that is set back or forward", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      for (const shift of [-3_600_000, 3_600_000]) {
        const { set, shown } = setClock(clock, shift)
        const politeness = yield* Politeness
        const starts: Array<number> = []
        const began = clock.currentTimeMillisUnsafe()
        const exchange = Effect.sync(() => void starts.push(clock.currentTimeMillisUnsafe() - began))
        const twice = Effect.andThen(
          politeness.take(`set by ${shift}`, 5000, exchange),
          Effect.suspend(() => {
            set()
            return politeness.take(`set by ${shift}`, 5000, exchange)
          })
        )
        yield* Effect.forkChild(Effect.provideService(twice, Clock.Clock, shown))
        yield* TestClock.adjust("1 minute")

        expect(starts).toEqual([0, 5000])
      }
    }).pipe(polite)
  )

  it.effect("leaves a paused host alone, also for those who were waiting when it said so", () =>
    Effect.gen(function* () {
      const { starts, take, politeness } = yield* ledger
      yield* Effect.forkChild(Effect.forEach(["1", "2", "3"], (name) => take("a", name), { concurrency: 3 }))
      yield* TestClock.adjust(500)
      yield* politeness.pause("a", 30_000)
      yield* Effect.forkChild(take("b", "other"))
      yield* TestClock.adjust("5 seconds")
      yield* politeness.pause("a", 40_000)
      yield* politeness.pause("a", 1)
      yield* TestClock.adjust("1 minute")

      expect(starts).toEqual([
        ["1", 0],
        ["2", 0],
        ["other", 500],
        ["3", 45_500]
      ])
    }).pipe(polite)
  )

  it.effect("gives the turn of one who is interrupted, waiting or not, to the next", () =>
    Effect.gen(function* () {
      const { starts, take, politeness } = yield* ledger
      const begun = yield* Deferred.make<void>()
      const endless = Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
      const holder = yield* Effect.forkChild(politeness.take("a", 1000, endless))
      yield* Deferred.await(begun)
      const waiter = yield* Effect.forkChild(take("a", "waiter", 1000))
      yield* Effect.forkChild(take("a", "next", 1000))
      yield* Fiber.interrupt(waiter)
      yield* Fiber.interrupt(holder)
      yield* TestClock.adjust("10 seconds")

      expect(starts).toEqual([["next", 1000]])
    }).pipe(polite)
  )

  it.effect("has at most so many exchanges in flight in the process, and asks no host that said later meanwhile", () =>
    Effect.gen(function* () {
      const { starts, take, politeness } = yield* ledger
      yield* Effect.forkChild(Effect.forEach(["a", "b", "c"], (host) => take(host, host), { concurrency: 3 }))
      yield* Effect.forkChild(take("d", "d", 5000))
      yield* TestClock.adjust(500)
      yield* politeness.pause("c", 10_000)
      yield* Effect.forkChild(take("d", "d again", 5000))
      yield* TestClock.adjust("1 minute")

      expect(starts).toEqual([
        ["a", 0],
        ["b", 0],
        ["d", 1000],
        ["d again", 7000],
        ["c", 10_500]
      ])
    }).pipe(Effect.provide(Politeness.layer({ perHost: 2, inFlight: 2 })))
  )
})
