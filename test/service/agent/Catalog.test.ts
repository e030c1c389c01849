import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { Catalog } from "#service/Catalog"
import { isHelpful, termsKey } from "#service/Provider"
import { gazetteer, withTerms } from "./gazetteer.ts"

describe("the catalog of providers", () => {
  it.effect("has none by default", () =>
    Effect.gen(function* () {
      const { find, providers } = yield* Catalog

      expect(providers).toEqual([])
      expect(find("sample-gazetteer")).toBeUndefined()
    }).pipe(Effect.provide(Catalog.layer()))
  )

  it.effect("knows its providers by their ids, and nobody else", () =>
    Effect.gen(function* () {
      const { find } = yield* Catalog

      expect(find("sample-gazetteer")?.name).toBe("Sample Gazetteer")
      expect([find("nobody"), find("constructor"), find("")]).toEqual([undefined, undefined, undefined])
    }).pipe(Effect.provide(Catalog.layer([gazetteer])))
  )

  it("remembers terms of another version, or of another text, as others", () => {
    const before = termsKey(gazetteer)

    expect(termsKey(withTerms("other terms", "1"))).not.toBe(before)
    expect(termsKey(withTerms(gazetteer.terms.text, "2"))).not.toBe(before)
    expect(termsKey(withTerms(gazetteer.terms.text, "1"))).toBe(before)
  })

  it("finds a provider helpful where the words have one of its phrases, as whole words in any case", () => {
    const yes = ["capital and CURRENCY of each country", "Countries, and their capitals", "the iso\ncodes of the world"]
    const no = ["the capital of Iceland", "lamps", "", "currencyless", "codes of ISO", "each big country"]

    expect(yes.map((words) => isHelpful(gazetteer, words))).toEqual(yes.map(() => true))
    expect(no.map((words) => isHelpful(gazetteer, words))).toEqual(no.map(() => false))
    expect(isHelpful({ helps: ["Städte", "都市"] }, "die größten städte")).toBe(true)
  })
})
