import { describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import * as FairPlaces from "#base/FairPlaces"

/** Work of teams in these places: when each began, and the most that were there at once. */
const ledger = (places: FairPlaces.FairPlaces) => {
  const starts: Array<readonly [name: string, at: number]> = []
  let most = 0
  const work = (team: string, millis: number) =>
    Effect.gen(function* () {
      starts.push([team, yield* Clock.currentTimeMillis])
      most = Math.max(most, places.taken())
      yield* Effect.sleep(millis)
    }).pipe(places.during, Effect.provideService(FairPlaces.Sharer, team))
  const many = (team: string, count: number, millis: number) =>
    Effect.forkChild(
      Effect.forEach(Array.from({ length: count }), () => work(team, millis), { concurrency: "unbounded" })
    )
  const ofTeam = (name: string) => starts.filter(([team]) => team === name).map(([, at]) => at)
  return { starts, ofTeam, work, many, most: () => most }
}

describe("places that teams share", () => {
  it.effect("are all for one team while it is alone", () =>
    Effect.gen(function* () {
      const { many, ofTeam } = ledger(FairPlaces.create(3))
      yield* many("a", 6, 1000)
      yield* TestClock.adjust("1 minute")

      expect(ofTeam("a")).toEqual([0, 0, 0, 1000, 1000, 1000])
    })
  )

  it.effect("have one more for who has none, which is made up for with the next that is given back", () =>
    Effect.gen(function* () {
      const { many, most, ofTeam, work } = ledger(FairPlaces.create(3))
      yield* many("a", 30, 10_000)
      yield* TestClock.adjust(500)
      yield* Effect.forkChild(Effect.forEach(Array.from({ length: 20 }), () => work("b", 500)))
      yield* TestClock.adjust("1 minute")

      expect(ofTeam("b")).toEqual(Array.from({ length: 20 }, (_, at) => 500 + at * 500))
      expect(most()).toBe(4)
      expect(ofTeam("a").filter((at) => at === 10_000)).toHaveLength(2)
    })
  )

  it.effect("are shared by time: a team of long work gets fewer of them", () =>
    Effect.gen(function* () {
      const { many, ofTeam } = ledger(FairPlaces.create(1))
      yield* many("long", 100, 2000)
      yield* many("short", 400, 500)
      yield* TestClock.adjust("100 seconds")

      const [long, short] = [ofTeam("long").length * 2000, ofTeam("short").length * 500]
      expect(long + short).toBeGreaterThanOrEqual(100_000)
      expect(Math.abs(long - short)).toBeLessThanOrEqual(4000)
    })
  )

  it.effect("are never more than there are where one alone is allowed", () =>
    Effect.gen(function* () {
      const { many, most } = ledger(FairPlaces.create(1))
      for (const team of ["a", "b", "c"]) yield* many(team, 3, 100)
      yield* TestClock.adjust("10 seconds")

      expect(most()).toBe(1)
    })
  )

  it.effect("are given back by who is interrupted, waiting or not", () =>
    Effect.gen(function* () {
      const places = FairPlaces.create(1)
      const begun = yield* Deferred.make<void>()
      const holder = yield* Effect.forkChild(
        places.duringOf("a")(Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))
      )
      yield* Deferred.await(begun)
      const waiter = yield* Effect.forkChild(places.duringOf("b")(Effect.void))
      const next = yield* Effect.forkChild(places.duringOf("c")(Effect.succeed("done")))
      yield* Effect.yieldNow
      expect(yield* places.ifFree("d")(Effect.void)).toEqual(Option.none())
      yield* Fiber.interrupt(waiter)
      yield* Fiber.interrupt(holder)

      expect(yield* Fiber.join(next)).toBe("done")
      expect(places.taken()).toBe(0)
      expect(yield* places.ifFree("d")(Effect.succeed(1))).toEqual(Option.some(1))
    })
  )
})
