import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { Extractor } from "#extract/Extractor"
import { lampSchema, product } from "../service/agent/shop.ts"

describe("an extractor without a model", () => {
  it.live("fills by rules, says so, and uses no tokens", () =>
    Effect.gen(function* () {
      const { fill } = yield* Extractor
      const page = { url: "http://site.test/", html: product("Ash lamp", "140.00"), metadata: {} }
      const filled = yield* fill(page, { schema: lampSchema, prompt: undefined })

      expect(filled).toMatchObject({
        data: { name: "Ash lamp", price: 140 },
        engine: { name: "rules" },
        tokens: 0,
        missing: []
      })
      expect(filled.sources.get("/price")?.kind).toBe("definition")
      expect(filled).not.toHaveProperty("warning")
    }).pipe(Effect.provide(Extractor.layerRules))
  )
})
