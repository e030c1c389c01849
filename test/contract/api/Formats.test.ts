import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { describe, expect, it } from "vitest"
import { ScrapeOptions } from "#contract/ScrapeOptions"

const decode = Schema.decodeUnknownResult(ScrapeOptions, { onExcessProperty: "error", errors: "all" })

/** What is wrong with options, one line a problem. */
const problems = (options: object): string => {
  const result = decode(options)
  if (Result.isSuccess(result)) return ""
  return SchemaIssue.makeFormatterStandardSchemaV1()(result.failure.issue)
    .issues.map(({ path, message }) => `${(path ?? []).join(".")}: ${message}`)
    .join("\n")
}

describe("formats", () => {
  it.each([
    ["markdown"],
    ["screenshot@fullPage"],
    ["changeTracking"],
    [{ type: "links" }],
    [{ type: "json", schema: { type: "object" } }],
    [{ type: "json", prompt: "the price" }],
    [{ type: "changeTracking", modes: ["git-diff", "json"], tag: null }],
    [{ type: "screenshot", fullPage: true, quality: 80, viewport: { width: 800, height: 600 } }],
    [{ type: "attributes", selectors: [{ selector: "a", attribute: "href" }] }],
    ["branding"],
    [{ type: "question", question: "who opens it" }],
    [{ type: "highlights", query: "opening hours" }],
    [{ type: "query", prompt: "who opens it", mode: "directQuote" }]
  ])("%j is one", (format) => {
    expect(problems({ formats: [format] })).toBe("")
  })

  it.each([
    ["markdwn", "Expected one of the formats markdown, html, rawHtml"],
    [{ type: "markdwn" }, "Expected one of the formats markdown, html, rawHtml"],
    [7, "Expected one of the formats markdown, html, rawHtml"],
    ["product", "this service does not have the formats product, menu, audio, video"],
    [{ type: "menu" }, "this service does not have the formats product, menu, audio, video"],
    ["question", "the format question needs a question"],
    [{ type: "question" }, "formats.0.question"],
    [{ type: "question", question: "" }, "formats.0.question"],
    ["highlights", "the format highlights needs a query"],
    ["query", "the format query needs a prompt"],
    ["json", "the format json needs a schema, a prompt or both"],
    [{ type: "json" }, "the format json needs a schema, a prompt or both"],
    ["attributes", "the format attributes needs selectors"],
    [{ type: "markdown", deep: true }, "formats.0.deep: Expected no excess property"],
    [{ type: "screenshot", quality: 101 }, "formats.0.quality"],
    [{ type: "changeTracking", modes: ["svn-diff"] }, '"git-diff" | "json"']
  ])("%j is refused with the reason", (format, why) => {
    expect(problems({ formats: [format] })).toContain(why)
  })
})

describe("actions", () => {
  it.each([
    [{ type: "wait", milliseconds: 10 }],
    [{ type: "wait", selector: "#x" }],
    [{ type: "click", selector: "#x", all: true }],
    [{ type: "scroll" }],
    [{ type: "pdf", format: "A4", landscape: true, scale: 0.5 }]
  ])("%j is one", (action) => {
    expect(problems({ actions: [action] })).toBe("")
  })

  it.each([
    [{ type: "jump" }, "Expected an action with one of the types wait, click"],
    [{ type: "wait" }, "a wait takes either milliseconds or a selector"],
    [{ type: "wait", milliseconds: 1, selector: "#x" }, "a wait takes either milliseconds or a selector"],
    [{ type: "click" }, "actions.0.selector: Missing key"],
    [{ type: "press", key: "Enter", times: 2 }, "actions.0.times: Expected no excess property"]
  ])("%j is refused with the reason", (action, why) => {
    expect(problems({ actions: [action] })).toContain(why)
  })

  it("are at most fifty", () => {
    const actions = Array.from({ length: 51 }, () => ({ type: "scrape" }))

    expect(problems({ actions })).toContain("actions")
    expect(problems({ actions: actions.slice(1) })).toBe("")
  })
})

describe("parsers", () => {
  it.each([["pdf"], [{ type: "pdf", maxPages: 3, mode: "auto" }]])("%j is one", (parser) => {
    expect(problems({ parsers: [parser] })).toBe("")
  })

  it.each([
    ["docx", 'Expected the parser "pdf"'],
    ["image", "does not read text in images"],
    [{ type: "pdf", mode: "ocr" }, "does not read text in images"],
    [{ type: "pdf", blocks: true }, "does not have the layout blocks"]
  ])("%j is refused with the reason", (parser, why) => {
    expect(problems({ parsers: [parser] })).toContain(why)
  })
})
