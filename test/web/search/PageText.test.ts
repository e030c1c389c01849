import { describe, expect, it } from "vitest"
import { uuid7 } from "#contract/uuid7"
import * as PageText from "#web/PageText"

const page = (fields: object, metadata: object = {}) =>
  PageText.ofDocument(
    JSON.stringify({
      ...fields,
      metadata: { url: "http://www.site.test/docs/a%20b?x=1", statusCode: 200, ...metadata }
    }),
    7
  )

describe("what the index keeps of a page", () => {
  it("is its address, what it says of itself, its text and its words", () => {
    expect(
      page({ markdown: "# Oak **lamp**\n\n- [Buy](http://x.test/y) it" }, { title: " Lamps\n ", description: "All" })
    ).toEqual({
      key: "site.test/docs/a%20b?x=1",
      url: "http://www.site.test/docs/a%20b?x=1",
      host: "site.test",
      fileType: "",
      title: "Lamps",
      description: "All",
      text: "Oak lamp\nBuy it",
      words: {
        title: ["lamp"],
        description: ["all"],
        address: ["www", "site", "test", "doc", "a", "b", "x", "1"],
        text: ["oak", "lamp", "buy", "it"]
      },
      publishedAt: null,
      readAt: 7
    })
  })

  it("is read from HTML where a page has no Markdown, and is its title where it has neither", () => {
    expect(page({ rawHtml: "<html><body><main><p>Oak lamp</p></main></body></html>" })?.text).toBe("Oak lamp")
    expect(page({ links: [] }, { title: "Oak" })?.words.title).toEqual(["oak"])
  })

  it("knows when the page was read and when it was published, and what kind of file it is", () => {
    const scrapeId = uuid7(1_000_000_000_000)

    expect(page({}, { scrapeId })?.readAt).toBe(1_000_000_000_000)
    expect(page({}, { scrapeId, cachedAt: "2001-01-01T00:00:00Z" })?.readAt).toBe(Date.UTC(2001, 0, 1))
    expect(page({}, { scrapeId: "x" })?.readAt).toBe(7)
    expect(page({}, { publishedTime: "2020-02-02" })?.publishedAt).toBe(Date.UTC(2020, 1, 2))
    expect(page({}, { publishedTime: ["2020"], modifiedTime: "soon" })?.publishedAt).toBeNull()
    expect(page({}, { contentType: "application/pdf; x" })?.fileType).toBe("pdf")
    expect(page({}, { url: "http://site.test/a.DOCX" })?.fileType).toBe("docx")
    expect(page({}, { url: "http://site.test/a.html" })?.fileType).toBe("")
  })

  it("is nothing of an error, nor of what is no document", () => {
    expect(page({ markdown: "gone" }, { statusCode: 404 })).toBeUndefined()
    expect(page({}, { url: "javascript:alert(1)" })).toBeUndefined()
    for (const odd of ["", "{", "null", "[]", '{"metadata":{}}', '{"metadata":{"url":7,"statusCode":200}}']) {
      expect(PageText.ofDocument(odd, 0)).toBeUndefined()
    }
  })

  it("is not more than an index needs, and has no NUL, which Postgres does not take", () => {
    const long = "lamp ".repeat(100_000)
    const kept = page({ markdown: `a\0b ${long}` }, { title: long, description: `x\0${long}` })

    expect(kept?.text.startsWith("ab lamp")).toBe(true)
    expect(kept?.description.startsWith("xlamp")).toBe(true)
    expect([kept?.title.length, kept?.description.length, kept?.words.text.length]).toEqual([300, 1000, 15_000])
    expect(kept?.text.length).toBeLessThanOrEqual(120_000)
  })

  it("is plain text, without what draws it", () => {
    expect(
      page({
        markdown:
          "> ## A\\*b\n\n```js\nlet x\n```\n\n| a | b |\n| --- | :-: |\n| 1 | 2 |\n\n![pic](http://x/y) **bold** `code`"
      })?.text
    ).toBe("A*b\nlet x\na b\n1 2\npic bold code")
  })

  it("is read in time in proportion to its length, whatever signs it is made of", () => {
    for (const sign of ["[", "![", "[a](", "-", "|", "\u00a0", "`", "> ", "\\", "#", "("]) {
      const text = page({ markdown: sign.repeat(Math.ceil(1_000_000 / sign.length)) })?.text
      expect(text?.length).toBeLessThanOrEqual(1_000_000)
    }
  })
})
