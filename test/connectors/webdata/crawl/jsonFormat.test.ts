import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Source from "#engine/Source"
import {
  documentOf,
  elementsOf,
  pagesOf,
  rejectsOf,
  type ScrapeOptions,
  serviceOf,
  sourceOf,
  typed
} from "../scriptedCrawl.ts"

describe("a json with a schema", () => {
  it.effect("is typed cells, and what the schema does not name beside them", () =>
    Effect.gen(function* () {
      const json = { name: "Kettle", price: 12.5, inStock: true, offers: [{ seller: "a", stars: 5 }], colour: "red" }
      const [page] = pagesOf(yield* elementsOf(typed, [documentOf("/", { json })]))

      expect(page?.["json"]).toEqual({ name: "Kettle", price: "12.50", in_stock: true, offers: [{ seller: "a" }] })
      expect(page?.["json_other"]).toEqual({ colour: "red", offers: { 0: { stars: 5 } } })
    })
  )

  it.effect("is null where nothing was found, and lacks what was not found", () =>
    Effect.gen(function* () {
      const elements = yield* elementsOf(typed, [
        documentOf("/null", { json: null }),
        documentOf("/absent"),
        documentOf("/nulls", { json: { name: null, price: null, offers: null } }),
        documentOf("/some", { json: { name: "Kettle", price: null, offers: [{ seller: null }] } })
      ])

      expect(rejectsOf(elements)).toEqual([])
      expect(pagesOf(elements).map(({ json }) => json)).toEqual([null, null, null, { name: "Kettle", offers: [{}] }])
    })
  )

  it.effect("keeps a null that the schema knows, and takes a list of rows as a list", () =>
    Effect.gen(function* () {
      const items = { type: "object", required: ["n"], properties: { n: { type: ["integer", "null"] } } }
      const list: ScrapeOptions = { formats: [{ type: "json", schema: { type: "array", items } }] }
      const pages = pagesOf(yield* elementsOf(list, [documentOf("/", { json: [{ n: 1 }, { n: null }] })]))

      expect(pages.map(({ json }) => json)).toEqual([[{ n: 1 }, { n: null }]])
    })
  )

  it.effect("is asked for only where its schema can be used: nothing is paid for", () =>
    Effect.gen(function* () {
      const { asked, layer } = serviceOf([documentOf("/")])
      const source = sourceOf({ formats: [{ type: "json", schema: { type: "text" } }] })
      const error = yield* Effect.flip(Effect.provide(Stream.runCollect(Source.read(source)), layer))

      expect(error.message).toMatch(
        /^the JSON Schema cannot be used: .*; correct the schema of the format json in scrape/
      )
      expect(error.retryable).toBe(false)
      expect(asked).toEqual([])
    })
  )
})
