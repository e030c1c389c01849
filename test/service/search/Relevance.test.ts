import { describe, expect, it } from "vitest"
import * as Relevance from "../../../src/service/search/Relevance.ts"

interface Said {
  readonly title?: string
  readonly description?: string
  readonly markdown?: string
  readonly statusCode?: number
}

/** Adds documents by their addresses, and gives the best addresses in their order. */
const best = (words: string, pages: ReadonlyArray<readonly [url: string, said: Said]>, limit = 10) => {
  const ranking = Relevance.make(words, limit)
  for (const [url, { markdown, ...metadata }] of pages) {
    ranking.add(JSON.stringify({ markdown, metadata: { url, statusCode: 200, ...metadata } }))
  }
  return ranking.best().map(({ url }) => url)
}

describe("the relevance of pages", () => {
  it("has pages first that share more and rarer words, and none that share no word", () => {
    expect(
      best("oak lamp price", [
        ["http://a.test/", { markdown: "A lamp. Another lamp. All lamps." }],
        ["http://b.test/", { markdown: "An oak lamp and its price." }],
        ["http://c.test/", { markdown: "About us." }],
        ["http://d.test/", { markdown: "Lamp lamp lamp lamp lamp lamp." }]
      ])
    ).toEqual(["http://b.test/", "http://d.test/", "http://a.test/"])
  })

  it("takes a word in the title for more than one in the text, and reads addresses too", () => {
    const text = "lamp ".repeat(3)
    expect(
      best("lamp", [
        ["http://a.test/x", { markdown: `${text} of other things than these` }],
        ["http://b.test/x", { title: "Lamp", markdown: "of other things than these are here" }]
      ])[0]
    ).toBe("http://b.test/x")
    expect(best("lampen", [["http://site.test/l%C3%A4den/lampen", { markdown: "x" }]])).toHaveLength(1)
  })

  it("orders equals by address, whatever order they came in", () => {
    const pages = ["b", "c", "a"].map((name) => [`http://${name}.test/`, { markdown: "lamp" }] as const)

    expect(best("lamp", pages)).toEqual(["http://a.test/", "http://b.test/", "http://c.test/"])
    expect(best("lamp", pages.toReversed(), 2)).toEqual(["http://a.test/", "http://b.test/"])
  })

  it("counts the first of two documents of one address, and none that a site answered with an error", () => {
    const ranking = Relevance.make("lamp", 5)
    const document = (title: string, statusCode: number) =>
      JSON.stringify({ metadata: { url: "http://a.test/", statusCode, title } })
    for (const one of [document("Lamp gone", 404), document("Lamp new", 200), document("Lamp old", 200)])
      ranking.add(one)

    expect(ranking.best()).toEqual([{ url: "http://a.test/", title: "Lamp new", description: "" }])
  })

  it("is not told by what is no document, and says no more of one than a few words", () => {
    const ranking = Relevance.make("lamp", 5)
    for (const odd of ["", "{", "null", "[]", '{"metadata":{}}', '{"metadata":{"url":7,"statusCode":200}}'])
      ranking.add(odd)
    const long = "lamp ".repeat(10_000)
    ranking.add(JSON.stringify({ metadata: { url: "no address %", statusCode: 200, title: long, description: long } }))
    const [hit] = ranking.best()

    expect(ranking.best()).toHaveLength(1)
    expect([hit?.title.length, hit?.description.length]).toEqual([300, 1000])
  })

  it("knows words of all scripts, their plurals, and not those that say nothing", () => {
    expect(Relevance.termsOf("Find all the LAMPS of Zürich, Ελλάδα & 東京 (2024) — glass as x")).toEqual([
      "lamp",
      "zürich",
      "ελλάδα",
      "東京",
      "2024",
      "glass"
    ])
  })
})
