import { describe, expect, it } from "vitest"
import { byRules } from "#extract/byRules"

const sentence =
  "The weir at Northmere was opened on a Tuesday, and nobody who was there has forgotten the noise of it. "
const html = `<html lang="en"><head><title>The weir opens | The Courier</title></head><body>
<nav><a href="/">Home</a> <a href="/news">News</a></nav>
<article><h1>The weir opens</h1><p class="byline">By Stellan Frey, 3 May 2026</p>
${`<p>${sentence.repeat(4)}</p>`.repeat(4)}</article>
<aside><h2>More news</h2><ul><li><a href="/a">A bridge</a></li><li><a href="/b">A lock</a></li></ul></aside>
<footer>Copyright The Courier</footer></body></html>`

const read = (properties: object) =>
  byRules(
    { url: "http://site.test/weir", html, metadata: {} },
    { schema: { type: "object", properties: { ...properties } }, prompt: undefined }
  )

describe("the article of a page", () => {
  it("fills properties that mean its headline, author, day and text, each with where it stands", () => {
    const { data, sources } = read({
      headline: { type: "string" },
      written_by: { type: "string" },
      published_on: { type: "string", format: "date" },
      full_text: { type: "string" }
    })

    expect(data).toMatchObject({ headline: "The weir opens", written_by: "Stellan Frey", published_on: "2026-05-03" })
    expect((data as any).full_text).toContain("nobody who was there")
    expect((data as any).full_text).not.toContain("A bridge")
    expect([...sources.keys()].toSorted()).toEqual(["/full_text", "/headline", "/published_on", "/written_by"])
  })

  it("is not looked for where nothing of it is wanted", () => {
    expect(read({ price: { type: "number" } }).data).toEqual({ price: null })
  })
})
