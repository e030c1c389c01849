import { describe, expect, it } from "vitest"
import { wordsOf } from "#base/Words"
import * as Relevance from "#web/Relevance"
import * as Query from "#web/SearchQuery"

interface Said {
  readonly title?: string
  readonly description?: string
  readonly text?: string
}

const ranked = (words: string, pages: ReadonlyArray<readonly [url: string, said: Said]>) =>
  Relevance.rank(
    pages.map(([url, { description = "", text = "", title = "" }]) => ({
      page: { url },
      words: {
        title: wordsOf(title),
        description: wordsOf(description),
        address: wordsOf(decodeURI(url)),
        text: wordsOf(text)
      }
    })),
    Query.ofWords(words).words
  )
/** The addresses in their order. */
const best = (...args: Parameters<typeof ranked>) => ranked(...args).pages.map(({ url }) => url)

describe("the relevance of pages", () => {
  it("has pages first that share more and rarer words, and last those that share none", () => {
    expect(
      best("oak lamp price", [
        ["http://a.test/", { text: "A lamp. Another lamp. All lamps." }],
        ["http://b.test/", { text: "An oak lamp and its price." }],
        ["http://c.test/", { text: "About us." }],
        ["http://d.test/", { text: "Lamp lamp lamp lamp lamp lamp." }]
      ])
    ).toEqual(["http://b.test/", "http://d.test/", "http://a.test/", "http://c.test/"])
  })

  it("takes a word in the title for more than one in the text, and reads addresses too", () => {
    const text = "lamp ".repeat(3)
    expect(
      best("lamp", [
        ["http://a.test/x", { text: `${text} of other things than these` }],
        ["http://b.test/x", { title: "Lamp", text: "of other things than these are here" }]
      ])[0]
    ).toBe("http://b.test/x")
    expect(
      best("lampen", [
        ["http://a.test/", { text: "x" }],
        ["http://site.test/l%C3%A4den/lampen", {}]
      ])[0]
    ).toBe("http://site.test/l%C3%A4den/lampen")
  })

  it("orders equals by address, whatever order they came in", () => {
    const pages = ["b", "c", "a"].map((name) => [`http://${name}.test/`, { text: "lamp" }] as const)

    expect(best("lamp", pages)).toEqual(["http://a.test/", "http://b.test/", "http://c.test/"])
    expect(best("lamp", pages.toReversed())).toEqual(["http://a.test/", "http://b.test/", "http://c.test/"])
  })

  it("counts words in a row as one term, and says what each term is worth", () => {
    const pages = [
      ["http://a.test/", { text: "京 is not 東" }],
      ["http://b.test/", { text: "東京 is here" }]
    ] as const
    const { weights } = ranked("東京 here", pages)

    expect(best("東京", pages)[0]).toBe("http://b.test/")
    expect([...weights.keys()]).toEqual(["東 京", "here"])
    expect(weights.get("東 京")).toBeGreaterThan(0)
  })

  it("knows words of all scripts, their plurals, and not those that say nothing", () => {
    expect(Relevance.termsOf("Find all the LAMPS of Zürich, Ελλάδα & 東京 (2024) — glass as x")).toEqual([
      "lamp",
      "zurich",
      "ελλαδα",
      "東京",
      "2024",
      "glass"
    ])
  })
})
