import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import * as Catalog from "../../src/agent/Catalog.ts"

const gazetteer = Catalog.find("sample-gazetteer")

describe("the catalog of providers", () => {
  it("knows its providers by their ids, and nobody else", () => {
    expect(gazetteer?.name).toBe("Sample Gazetteer")
    expect([Catalog.find("nobody"), Catalog.find("constructor"), Catalog.find("")]).toEqual([
      undefined,
      undefined,
      undefined
    ])
  })

  it("has for terms the digest of their text, and new terms are others", () => {
    const { digest, text } = gazetteer?.terms ?? { digest: "", text: "" }

    expect(digest).toBe(`sha256:${createHash("sha256").update(text).digest("hex")}`)
    expect(Catalog.keyOf("a", "1")).not.toBe(Catalog.keyOf("a", "2"))
  })

  it("helps where the words ask for what it has, and not for one of them in passing", () => {
    const helps = ["capital and currency of each country", "countries and their capitals", "ISO codes by country"]
    const not = ["the capital of Iceland", "lamps", "", "a country house"]

    expect(helps.map((words) => gazetteer?.helps(words))).toEqual([true, true, true])
    expect(not.map((words) => gazetteer?.helps(words))).toEqual([false, false, false, false])
  })

  it("gives the countries that the words name, else all of them", () => {
    const of = (query: string) => gazetteer?.call({ query }).records.map(({ country }) => country)

    expect(of("Iceland and New Zealand")).toEqual(["Iceland", "New Zealand"])
    expect(of("all of them")).toHaveLength(12)
  })
})
