import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { Extractor } from "#extract/Extractor"
import { supportOf } from "#service/agent/ModelRun"

const anything = { schema: undefined, prompt: "the lamp" }

const page = (path: string, text: string) => ({
  url: `http://site.test${path}`,
  text,
  html: `<p>${text}</p>`,
  filled: { data: null, sources: new Map(), missing: [], engine: { name: "rules" as const }, tokens: 0 }
})

describe("the support of what a model gave", () => {
  it.live("is the first page that says each value; what none says is null and listed", () =>
    Effect.gen(function* () {
      const given = { name: "Ash", price: 140, maker: "Pike", sku: null, is_new: true }
      const pages = [page("/a", "Ash lamp"), page("/b", "Ash lamp for 140")]
      const { data, missing, sources, unsupported } = yield* supportOf(given, anything, pages)

      expect(sources).toMatchObject({
        "/name": [{ url: "http://site.test/a", supported: true }],
        "/price": [{ url: "http://site.test/b", supported: true }],
        "/is_new": [{ kind: "model", supported: false, inferred: true }]
      })
      expect(data).toEqual({ ...given, maker: null })
      expect(missing).toEqual(["/maker", "/sku"])
      expect(unsupported).toEqual([{ path: "/maker", value: "Pike" }])
    }).pipe(Effect.provide(Extractor.layerRules))
  )

  it.live("is nobody's where no page was read", () =>
    Effect.gen(function* () {
      expect(yield* supportOf({ name: "Ash", sku: null }, anything, [])).toEqual({
        data: { name: null, sku: null },
        sources: {},
        missing: ["/name", "/sku"],
        unsupported: [{ path: "/name", value: "Ash" }]
      })
    }).pipe(Effect.provide(Extractor.layerRules))
  )
})
