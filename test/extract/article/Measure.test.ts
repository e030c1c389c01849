import { describe, expect, it } from "vitest"
import * as Draft from "../../../src/extract/article/Draft.ts"
import * as Measure from "../../../src/extract/article/Measure.ts"
import * as Dom from "../../../src/html/Dom.ts"

const measure = (html: string) => Measure.of(Draft.of(Dom.parse(html)))

describe("Measure", () => {
  it.each([
    ["<p> a \n b </p>", 3],
    ["<b>a</b><i>b</i>", 2],
    ["<b>a </b><i> b</i>", 3],
    ["<b>a</b> <i></i> <i>b</i>", 3],
    ["<p> </p>", 0],
    ["<p>a\u00a0\u3000b</p>", 3]
  ])("%j is as long as it reads", (html, length) => {
    expect(measure(html).length).toBe(length)
  })

  it("counts what links hold, and a link inside the page for a third", () => {
    expect(measure('ab<a href="/x">cd</a><a href="#x">efghijklmn</a>').linked).toBe(5)
    expect(Measure.linkDensity(Draft.of(Dom.parse('ab<a href="/x">cd</a>')))).toBe(0.5)
    expect(Measure.linkDensity(Draft.of(Dom.parse("")))).toBe(0)
  })

  it("counts commas of all scripts", () => {
    expect(measure("a, b， c، d")).toMatchObject({ commas: 3, plainCommas: 1 })
  })

  it("counts elements and the text of some", () => {
    const html =
      "<h2>four</h2><ul><li>x</li><li>y</li></ul><p><img><br></p><input><iframe></iframe><iframe allowfullscreen></iframe>"

    expect(measure(html)).toMatchObject({
      headings: 4,
      lists: 2,
      items: 2,
      paragraphs: 1,
      images: 1,
      breaks: 1,
      inputs: 1,
      embeds: 2,
      videos: 1,
      blocks: 3
    })
  })
})
