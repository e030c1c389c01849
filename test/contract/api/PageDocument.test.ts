import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { fromJson, PageDocument } from "#contract/PageDocument"

const decode = Schema.decodeUnknownResult(PageDocument)

const metadata = {
  sourceURL: "https://example.com/",
  url: "https://example.com/",
  statusCode: 200,
  scrapeId: "a",
  "og:type": "article",
  "twitter:card": ["summary", null, { of: 1 }]
}
const changeTracking = { previousScrapeAt: null, changeStatus: "new", visibility: "visible" }
const actions = { screenshots: [], scrapes: [], javascriptReturns: [{ type: "number", value: 1 }], pdfs: [] }

describe("a document of parsed JSON", () => {
  it.each([
    { metadata },
    { metadata, markdown: "# a", links: ["https://example.com/b"], warning: "cut" },
    { metadata, pages: [{ pageNumber: 1, markdown: "a" }] },
    { metadata, json: null },
    { metadata, json: { a: [1, "b", null] }, markdown: "a" },
    { metadata, changeTracking },
    { metadata, actions }
  ])("is what the whole schema makes of it: %j", (parsed) => {
    expect(fromJson(parsed)).toEqual(decode(parsed))
    expect(fromJson(parsed)).toMatchObject({ _tag: "Success", success: parsed })
  })

  it.each([
    null,
    [],
    "a",
    {},
    { metadata: { ...metadata, title: 1 } },
    { metadata: { ...metadata, statusCode: 200.5 } },
    { metadata: { ...metadata, scrapeId: undefined } },
    { metadata, markdown: null },
    { metadata, links: ["https://example.com/b", 1] },
    { metadata, pages: [{ pageNumber: "1", markdown: "a" }] },
    { metadata, changeTracking: { ...changeTracking, changeStatus: "odd" } },
    { metadata, actions: { ...actions, pdfs: undefined } }
  ])("is refused where the whole schema refuses it, in the same words: %j", (parsed) => {
    expect(fromJson(parsed)).toMatchObject({ _tag: "Failure" })
    expect(String(fromJson(parsed))).toBe(String(decode(parsed)))
  })
})
