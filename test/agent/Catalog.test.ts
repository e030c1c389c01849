import { createHash } from "node:crypto"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { Catalog, keyOf } from "../../src/agent/Catalog.ts"
import { gazetteer } from "./gazetteer.ts"

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

  it("remembers new terms as others", () => {
    expect(keyOf("a", "1")).not.toBe(keyOf("a", "2"))
  })
})

/** What the tests of terms and approvals stand on. */
describe("the sample provider", () => {
  it("has for terms the digest of their text", () => {
    const { digest, text } = gazetteer.terms

    expect(digest).toBe(`sha256:${createHash("sha256").update(text).digest("hex")}`)
  })

  it("helps where the words ask for what it has, and not for one of them in passing", () => {
    const helps = ["capital and currency of each country", "countries and their capitals", "ISO codes by country"]
    const not = ["the capital of Iceland", "lamps", "", "a country house"]

    expect(helps.map((words) => gazetteer.helps(words))).toEqual([true, true, true])
    expect(not.map((words) => gazetteer.helps(words))).toEqual([false, false, false, false])
  })

  it("gives the countries that the words name, else all of them", () => {
    const of = (query: string) => gazetteer.call({ query }).records.map(({ country }) => country)

    expect(of("Iceland and New Zealand")).toEqual(["Iceland", "New Zealand"])
    expect(of("all of them")).toHaveLength(12)
  })
})
