import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { ScrapeStore } from "#web/ScrapeStore"
import { onEachDatabase } from "../databases.ts"
import { stores } from "../serviceParts.ts"

onEachDatabase("the store of single pages", (database) => {
  const watched = { teamId: "team", tag: "", pageKey: "http://site.test/" }

  it.effect("gives the newest copy of a page, and when it was kept", () =>
    Effect.gen(function* () {
      const fresh = yield* database.fresh
      yield* Effect.gen(function* () {
        const { copy, keep } = yield* ScrapeStore
        yield* keep("page", '{"n":1}')
        yield* TestClock.adjust("1 minute")
        yield* keep("page", '{"n":2}')

        expect(yield* copy("page")).toEqual(Option.some({ text: '{"n":2}', cachedAt: 60_000 }))
        expect(yield* copy("other")).toEqual(Option.none())
      }).pipe(Effect.provide(stores(fresh)))
    })
  )

  it.effect("remembers one state of a page for each team and tag", () =>
    Effect.gen(function* () {
      const fresh = yield* database.fresh
      yield* Effect.gen(function* () {
        const { remember, snapshot } = yield* ScrapeStore
        yield* remember(watched, { markdown: "old", json: null, contentVersion: null })
        yield* remember(watched, { markdown: "new", json: '{"price":1}', contentVersion: 2 })
        yield* remember({ ...watched, tag: "a tag with \0" }, { markdown: "tagged", json: null, contentVersion: null })
        const of = (of: Partial<typeof watched>) =>
          Effect.map(snapshot({ ...watched, ...of }), (found) => Option.getOrUndefined(found))

        expect(yield* of({})).toEqual({ markdown: "new", json: '{"price":1}', contentVersion: 2, scrapedAt: 0 })
        expect((yield* of({ tag: "a tag with \0" }))?.markdown).toBe("tagged")
        expect(yield* of({ teamId: "other" })).toBeUndefined()
      }).pipe(Effect.provide(stores(fresh)))
    })
  )

  it.effect("knows the sites of which a browser has shown a page, in every process", () =>
    Effect.gen(function* () {
      const fresh = yield* database.fresh
      yield* Effect.gen(function* () {
        const { noteRendered } = yield* ScrapeStore
        yield* noteRendered("http://site.test")
        yield* noteRendered("http://site.test")
      }).pipe(Effect.provide(stores(fresh)))
      yield* Effect.gen(function* () {
        const { isRendered } = yield* ScrapeStore

        expect(yield* isRendered("http://site.test")).toBe(true)
        expect(yield* isRendered("https://site.test")).toBe(false)
      }).pipe(Effect.provide(stores(fresh)))
    })
  )

  it.effect("forgets copies after a week and states after 400 days", () =>
    Effect.gen(function* () {
      const fresh = yield* database.fresh
      const has = Effect.gen(function* () {
        const { copy, snapshot } = yield* ScrapeStore
        return [Option.isSome(yield* copy("page")), Option.isSome(yield* snapshot(watched))]
      })
      /** Asks a store that has just started, until its first sweep has left only this. */
      const untilLeft = (copies: boolean, states: boolean) =>
        Effect.gen(function* () {
          for (;;) {
            const [copy, state] = yield* has
            if (copy === copies && state === states) return true
          }
        }).pipe(Effect.provide(stores(fresh)))

      yield* Effect.gen(function* () {
        const { keep, remember } = yield* ScrapeStore
        yield* keep("page", "{}")
        yield* remember(watched, { markdown: "old", json: null, contentVersion: null })
      }).pipe(Effect.provide(stores(fresh)))
      yield* TestClock.adjust("7 days")
      const afterWeek = yield* Effect.provide(has, stores(fresh))
      yield* TestClock.adjust("1 minute")
      const later = yield* untilLeft(false, true)
      yield* TestClock.adjust("393 days")

      expect(afterWeek).toEqual([true, true])
      expect([later, yield* untilLeft(false, false)]).toEqual([true, true])
    })
  )
})
