import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import * as Rules from "#extract/Rules"

const url = "http://site.test/"
const cities = (rows: number): string =>
  "<h1>Cities</h1><table><tr><th>City</th><th>Population</th></tr>" +
  Array.from({ length: rows }, (_, at) => `<tr><td>City ${at}</td><td>${at + 1000}</td></tr>`).join("") +
  "</table>"
const fill = (html: string) => {
  const city = { type: "object", properties: { city: { type: "string" }, population: { type: "number" } } }
  const schema = { type: "object", properties: { cities: { type: "array", items: city } } }
  return { kind: "fill", page: { url, html, metadata: {} }, wanted: { schema, prompt: undefined } } as const
}

describe("rules", () => {
  it.live("leave the thread that asks free while they read a large page", () =>
    Effect.gen(function* () {
      const { ask } = yield* Rules.start()
      let turns = 0
      const counting = setInterval(() => {
        turns += 1
      }, 1)
      const { data } = yield* ask(fill(cities(10_000)))
      clearInterval(counting)

      expect(data).toMatchObject({ cities: { length: 10_000, 9999: { city: "City 9999", population: 10_999 } } })
      expect(turns).toBeGreaterThan(20)
    })
  )

  it.live("fail a page that takes longer than a page may", () =>
    Effect.gen(function* () {
      const { ask } = yield* Rules.start(1)
      expect(yield* Effect.flip(ask(fill(cities(10_000))))).toMatchObject({
        code: "SCRAPE_PAGE_TOO_COSTLY",
        message: "the page is too costly to search: it takes longer than 0.001 seconds"
      })
    })
  )

  it.live("answer a question, and say what speaks of a subject", () =>
    Effect.gen(function* () {
      const { ask } = yield* Rules.start()
      const page = { url, html: "<h1>Town hall</h1><p>A permit costs 12 pounds a year.</p>", metadata: {} }

      expect((yield* ask({ kind: "answer", page, question: "What does a permit cost?" })).text).toContain("12 pounds")
      expect(yield* ask({ kind: "highlights", page, query: "permit" })).toEqual(["A permit costs 12 pounds a year."])
    })
  )
})
