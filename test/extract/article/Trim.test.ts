import { describe, expect, it } from "vitest"
import * as Blocks from "../../../src/extract/article/Blocks.ts"
import * as Draft from "../../../src/extract/article/Draft.ts"
import { trim } from "../../../src/extract/article/Trim.ts"
import * as Dom from "../../../src/html/Dom.ts"

const text = `<p>${"The text of the article goes on and on without an end. ".repeat(8)}</p>`

const kept = (html: string) => {
  const root = Draft.of(Dom.parse(html))
  trim(root, "http://site.test/a")
  return Blocks.of(root).map((block) => (block.text.length > 100 ? "TEXT" : block.text))
}

describe("trim", () => {
  it("takes the line above the text out that says who wrote it and when", () => {
    expect(
      kept(`<p>Updated 1:39 am EST, Wednesday, November 20, 2019</p><p class="author">Ada Stone</p>${text}`)
    ).toEqual(["TEXT"])
  })

  it("keeps a date below, in a sentence, or in a heading", () => {
    const html = `<h2>3 May 2026</h2><p>It opened on 3 May 2026.</p>${text}<p>May 3, 2026</p>`

    expect(kept(html)).toEqual(["3 May 2026", "It opened on 3 May 2026.", "TEXT", "May 3, 2026"])
  })

  it.each([
    '<div class="photo-gallery"><p>Image 1 of 23</p></div>',
    '<div class="newsletter"><p>Get it by mail</p></div>',
    '<div class="author-bio"><p>Ada writes about mills.</p></div>',
    '<nav class="x"><p>Home News</p></nav>',
    '<p><a href="/">READ ALL ABOUT THE OTHER STORY</a></p>',
    '<p>Related: <a href="/">Another story of ours</a></p>',
    '<p>Lire aussi : <a href="/">Une autre histoire</a></p>',
    '<ul><li><h4><a href="/">Another story</a></h4></li><li><h4><a href="/">And one more</a></h4></li></ul>'
  ])("takes %s out", (box) => {
    expect(kept(`${text}${box}${text}`)).toEqual(["TEXT", "TEXT"])
  })

  it("takes a list of pages of the site out, and keeps a list of sources and of places of the page", () => {
    const list = (href: string) => `<ul>${`<li><a href="${href}">A link to something else</a></li>`.repeat(3)}</ul>`

    expect(kept(`${text}${list("/b")}${text}`)).toEqual(["TEXT", "TEXT"])
    expect(kept(`${text}${list("https://site.test/b")}${text}`)).toEqual(["TEXT", "TEXT"])
    expect(kept(`${text}${list("https://other.test/b")}${text}`)).toHaveLength(5)
    expect(kept(`${text}${list("#b")}${text}`)).toHaveLength(5)
  })

  it("takes links at the end out, and no items of a list", () => {
    expect(kept(`${text}<div><p><a href="/a">One more</a></p><p><a href="/b">And more</a></p></div>`)).toEqual(["TEXT"])
    expect(kept(`${text}<ul><li><a href="/a">A source</a></li></ul>`)).toEqual(["TEXT", "A source"])
  })

  it("leaves quotes, tables and code alone", () => {
    expect(kept(`<blockquote><p class="date">3 May 2026</p></blockquote>${text}`)).toEqual(["3 May 2026", "TEXT"])
  })

  it("never takes the text itself out for its name", () => {
    expect(kept(`<div class="gallery newsletter">${text}</div>`)).toEqual(["TEXT"])
  })
})
