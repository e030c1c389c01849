import { describe, expect, it } from "vitest"
import * as Blocks from "../../../src/extract/article/Blocks.ts"
import * as Body from "../../../src/extract/article/Body.ts"
import * as Draft from "../../../src/extract/article/Draft.ts"
import * as Dom from "../../../src/html/Dom.ts"

const find = (html: string, wantsByline = true) => {
  const { article, byline } = Body.find(Dom.parse(html), "http://site.test/", "", wantsByline)
  const text = Blocks.of(article).map((block) => block.text)
  return { text, byline: byline === undefined ? undefined : Draft.textOf(byline, 100).trim() }
}

const long =
  "<p>A long line of text, with a comma or two, that says something worth to be read by somebody, somewhere.</p>"

describe("Body", () => {
  it("is read with less severity where too little is left", () => {
    const html = `<div class="sidebar">${long.repeat(3)}</div>`

    expect(find(html).text).toHaveLength(3)
  })

  it("believes a name where enough is left without it", () => {
    const html = `<div>${long.repeat(9)}</div><div class="sidebar">${long}</div>`

    expect(find(html).text).toHaveLength(9)
  })

  it("takes the byline out of the text, and of it the name", () => {
    const html = `<div><p class="byline">Posted by <span itemprop="name">Ada Stone</span></p>${long.repeat(9)}</div>`

    expect(find(html).byline).toBe("Ada Stone")
    expect(find(html).text).toHaveLength(9)
  })

  it("leaves a byline where the author is known", () => {
    expect(find(`<div><p class="byline">Ada Stone</p>${long.repeat(9)}</div>`, false).byline).toBeUndefined()
  })

  it("does not take a long text for a byline", () => {
    const html = `<div><div class="author-list">${long}</div>${long.repeat(9)}</div>`

    expect(find(html).byline).toBeUndefined()
  })
})
