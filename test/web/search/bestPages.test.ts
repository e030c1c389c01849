import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { bestPages, type Candidate, compared } from "#web/bestPages"
import * as Query from "#web/SearchQuery"

const candidate = (name: string, text: string, publishedAt: number | null = null): Candidate => ({
  url: `http://site.test/${name}`,
  title: "",
  description: "",
  text,
  publishedAt
})

const candidates = [
  candidate("a", "Nothing is said of it here.", 1),
  candidate("b", "Tables are made of ash.\nThe oak lamp costs 89 euros.", 2),
  candidate("c", "An oak.", 3)
]

const named = (query: string, options: Parameters<typeof bestPages>[2], of = candidates) =>
  Effect.map(bestPages(of, Query.parse(query), options), (pages) => pages.map(({ url }) => url.slice(-1)))

describe("the best pages", () => {
  it.effect("are those that share the most with the query, each with the passage that answers", () =>
    Effect.gen(function* () {
      const [best] = yield* bestPages(candidates, Query.parse("oak lamp cost"), { limit: 1 })

      expect(yield* named("oak lamp cost", { limit: 3 })).toEqual(["b", "c", "a"])
      expect(best).toEqual({
        url: "http://site.test/b",
        title: "",
        description: "Tables are made of ash. The oak lamp costs 89 euros.",
        passage: "The oak lamp costs 89 euros.",
        publishedAt: 2
      })
    })
  )

  it.effect("stay in the order of the index where the query has no words, and are the newest where that is asked", () =>
    Effect.gen(function* () {
      expect(yield* named("site:site.test", { limit: 2 })).toEqual(["a", "b"])
      expect(yield* named("oak lamp", { limit: 2, newestFirst: true })).toEqual(["c", "b"])
    })
  )

  it("are found among more than are asked for", () => {
    expect([1, 20, 100].map(compared)).toEqual([60, 60, 300])
  })
})
