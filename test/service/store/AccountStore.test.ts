import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { AccountStore } from "#service/store/AccountStore"
import { onEachDatabase } from "../databases.ts"
import { stores } from "../serviceParts.ts"

onEachDatabase("the store of accounts", (database) => {
  const provided = <A, E>(use: Effect.Effect<A, E, AccountStore>) =>
    Effect.flatMap(database.fresh, (fresh) => Effect.provide(use, stores(fresh)))

  it.effect("lets one of many that send a key at once start a job, and names it to the others", () =>
    provided(
      Effect.gen(function* () {
        const { claim } = yield* AccountStore
        const ids = Array.from({ length: 8 }, (_, index) => `job-${index}`)
        const before = yield* Effect.forEach(ids, (id) => claim("team", "key", id), { concurrency: "unbounded" })
        const winner = ids[before.indexOf(undefined)]

        expect(before.filter((id) => id === undefined)).toHaveLength(1)
        expect(new Set(before)).toEqual(new Set([undefined, winner]))
        expect(yield* claim("other", "key", "job")).toBeUndefined()
      })
    )
  )

  it.effect("forgets keys that were sent before a time", () =>
    provided(
      Effect.gen(function* () {
        const { claim, expire } = yield* AccountStore
        yield* claim("team", "key", "first")
        yield* TestClock.adjust("1 hour")
        yield* claim("team", "later", "second")
        yield* expire(60 * 60 * 1000)

        expect(yield* claim("team", "key", "third")).toBeUndefined()
        expect(yield* claim("team", "later", "fourth")).toBe("second")
      })
    )
  )

  it.effect("adds up charges of several at once", () =>
    provided(
      Effect.gen(function* () {
        const { charge, used } = yield* AccountStore
        yield* Effect.all(
          Array.from({ length: 20 }, () => charge("team", 2 ** 40)),
          { concurrency: "unbounded" }
        )

        expect(yield* used("team")).toBe(20 * 2 ** 40)
        expect(yield* used("nobody")).toBe(0)
      })
    )
  )

  it.effect("tells what was used month by month, and all of it together", () =>
    Effect.andThen(
      TestClock.setTime(Date.UTC(1970, 0, 31, 23, 59)),
      Effect.gen(function* () {
        const { byMonth, charge, used } = yield* AccountStore
        yield* charge("team", 3)
        yield* TestClock.adjust("1 minute")
        yield* charge("team", 4)
        yield* charge("team", 5)

        expect(yield* byMonth("team")).toEqual([
          { month: "1970-01", credits: 3 },
          { month: "1970-02", credits: 9 }
        ])
        expect(yield* used("team")).toBe(12)
      }).pipe(provided)
    )
  )
})
