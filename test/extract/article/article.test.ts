import { describe, expect, it } from "vitest"
import { article } from "#extract/article/article"

const sentence = (about: string) =>
  `<p>The ${about} of the mill was repaired in spring, after the river had risen twice, and it has turned ever since without a rest, day and night, in all weathers.</p>`
const story = ["wheel", "roof", "door", "stone", "race"].map(sentence).join("")

const page = (body: string, head = "") =>
  `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`

const read = (html: string) => article(html, "http://site.test/news/mill")

describe("article", () => {
  it("reads title, authors, dates and text, and says where each stands", () => {
    const html = page(
      `<header><nav><a href="/">Home</a> <a href="/news">News</a></nav></header><main><article><h1>The mill turns</h1><div class="body">${story}</div></article></main><footer>All rights reserved</footer>`,
      `<title>The mill turns | Site</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle","headline":"The mill turns","author":[{"@type":"Person","name":"Ada Stone"},{"@type":"Person","name":"Bo Wood"}],"datePublished":"2026-05-03T09:00:00+02:00","dateModified":"2026-05-04"}</script>`
    )

    const found = read(html)

    expect(found).toMatchObject({
      title: "The mill turns",
      byline: "Ada Stone, Bo Wood",
      authors: ["Ada Stone", "Bo Wood"],
      published: "2026-05-03T09:00:00+02:00",
      modified: "2026-05-04"
    })
    expect(found.text.split("\n")).toHaveLength(5)
    expect(found.text).not.toContain("rights reserved")
    expect([...found.sources.keys()]).toEqual(["title", "byline", "published", "modified", "text"])
    expect(html.slice(...(found.sources.get("title")?.span ?? []))).toBe('"The mill turns"')
    expect(html.slice(...(found.blocks[1]?.span ?? []))).toMatch(/^The roof of the mill/)
  })

  it("takes the line that a page shows where it declares nothing", () => {
    const found = read(
      page(
        `<article><h1>The mill turns</h1><p class="byline">By Ada Stone</p><time datetime="2026-05-03">3 May</time><div>${story}</div></article>`,
        "<title>The mill turns</title>"
      )
    )

    expect(found).toMatchObject({ byline: "By Ada Stone", authors: ["Ada Stone"], published: "2026-05-03" })
    expect(found.text).not.toContain("Ada Stone")
  })

  it("tells the names of a line apart from what is written close to them", () => {
    const found = read(page(`<article><p class="byline">By <b>Ada Stone</b><i>May 3, 2026</i></p>${story}</article>`))

    expect(found.byline).toBe("By Ada StoneMay 3, 2026")
    expect(found.authors).toEqual(["Ada Stone"])
  })

  it("leaves the comments of readers out", () => {
    const comment = `<div class="comment"><p>I have seen this mill myself, and I must say that it is a wonder, truly, of the old craft of millers.</p></div>`
    const found = read(page(`<article>${story}</article><div id="comments">${comment.repeat(6)}</div>`))

    expect(found.blocks).toHaveLength(5)
    expect(found.text).not.toContain("I have seen")
  })

  it("leaves lists of links out", () => {
    const list = `<div><ul>${'<li><a href="/a">Another story about quite another thing</a></li>'.repeat(8)}</ul></div>`
    const found = read(page(`<div class="text">${story}${list}</div>`))

    expect(found.text).not.toContain("Another story")
  })

  it("keeps a lead that stands outside of the container", () => {
    const lead =
      "<p>After ten years of silence, the oldest mill of the valley turns again, to the joy of its neighbours.</p>"
    const found = read(page(`<div>${lead}<div class="text">${story}</div></div>`))

    expect(found.blocks[0]?.text).toMatch(/^After ten years/)
    expect(found.blocks).toHaveLength(6)
  })

  it("holds nothing that a reader does not see", () => {
    const hidden = sentence("secret")
    const found = read(
      page(
        `<article>${story}<div hidden>${hidden}</div><div style="display: none">${hidden}</div><div aria-hidden="true">${hidden}</div><script>secret()</script></article>`
      )
    )

    expect(found.text).not.toContain("secret")
  })

  it("takes the day of the address where the page tells none", () => {
    const found = article(page(`<article>${story}</article>`), "http://site.test/2026/05/03/mill")

    expect(found.published).toBe("2026-05-03")
    expect(found.sources.get("published")?.path).toBe("url")
  })

  it("is empty where the page is", () => {
    expect(read("")).toMatchObject({ title: undefined, byline: undefined, authors: [], text: "", blocks: [] })
  })
})
