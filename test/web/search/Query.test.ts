import { describe, expect, it } from "vitest"
import * as Query from "#web/SearchQuery"

describe("a query", () => {
  it("reads the operators that people type, and takes the rest for words", () => {
    expect(
      Query.parse(
        `"oak lamp" -cheap price Site:docs.example.com/guide/ -site:www.old.test intitle:"desk lamps" inurl:shop filetype:PDF -"out of stock"`
      )
    ).toEqual({
      words: [["price"]],
      phrases: [["oak", "lamp"]],
      without: [["cheap"], ["out", "of", "stock"]],
      inTitle: [["desk", "lamp"]],
      inUrl: [["shop"]],
      sites: [{ host: "docs.example.com", path: "/guide" }],
      notSites: [{ host: "old.test", path: "" }],
      fileType: "pdf",
      unknown: []
    })
  })

  it("is words where it is nothing else, whatever signs it has", () => {
    for (const odd of ['"', '""', "-", "site:", "site: %", "--", "( OR ) AND", "'; DROP TABLE job; --", "*", "\0"]) {
      const query = Query.parse(odd)
      expect([query.phrases, query.without.length <= 1, query.sites]).toEqual([[], true, []])
    }
    expect(Query.parse("oak OR lamp").words).toEqual([["oak"], ["lamp"]])
    expect(Query.parse("a-b http://x.test/y").words.map((term) => term.join(" "))).toEqual(["http", "test"])
    expect(Query.parse("related:example.com lamp").unknown).toEqual(["related:example.com"])
  })

  it("keeps dull words only where it has no others, each word once", () => {
    expect(Query.parse("what is the price of the lamp and the lamps").words).toEqual([["price"], ["lamp"]])
    expect(Query.parse("the who").words).toEqual([["the"], ["who"]])
    expect(Query.parse("東京タワー lamp").words).toEqual([["東", "京", "タ", "ワ", "ー"], ["lamp"]])
  })

  it("is asked for by its words too where it is a sentence of a script without blanks", () => {
    const asked = (text: string) => Query.parse(text).words.map((term) => term.join(""))

    expect(asked("図書館で本を借りる")).toEqual(["図書館で本を借りる", "図書館", "本", "借りる"])
    expect(asked("ค่าธรรมเนียมสำหรับเรือ")).toContain("เรือ")
    expect(asked("港の料金")).toEqual(["港の料金", "港", "料金"])
    expect(asked("厨余垃圾罚款")).toEqual(expect.arrayContaining(["厨余垃圾罚款", "垃圾", "罚款"]))
    expect(asked("東京タワー")).toEqual(["東京タワー"])
  })

  it("has phrases in the quotes that people type or paste", () => {
    for (const text of ['"oak lamp"', "“oak lamp”", "„oak lamp“", "«oak lamp»"]) {
      expect(Query.parse(text).phrases).toEqual([["oak", "lamp"]])
    }
  })

  it("is words alone where no person has typed it", () => {
    const query = Query.ofWords('find "oak lamp" -cheap site:x.test')

    expect(query.words.map((term) => term.join())).toEqual(["oak", "lamp", "cheap", "site", "test"])
    expect([query.phrases, query.without, query.sites]).toEqual([[], [], []])
  })

  it("has an end", () => {
    expect(Query.parse("word ".repeat(100_000)).words).toEqual([["word"]])
    const many = Array.from({ length: 5000 }, (_, index) => `w${index}`).join(" ")
    expect(Query.parse(many).words).toHaveLength(32)
    expect(Query.parse('"'.repeat(100_000)).phrases).toEqual([])
  })

  it("is told to engines that have words only", () => {
    const sites = ["a.test/x", "b.test"].flatMap((site) => Query.siteOf(site) ?? [])

    expect(Query.asText("oak lamp", sites, [])).toBe("oak lamp (site:a.test/x OR site:b.test)")
    expect(Query.asText("oak", sites.slice(1), sites.slice(0, 1))).toBe("oak site:b.test -site:a.test/x")
    expect([Query.siteOf("https://www.a.test:8080/b/"), Query.siteOf("*.a.test"), Query.siteOf("no host")]).toEqual([
      { host: "a.test:8080", path: "/b" },
      { host: "a.test", path: "" },
      undefined
    ])
  })
})
