import { describe, expect, it } from "vitest"
import * as Blocks from "../../../src/extract/article/Blocks.ts"
import * as Breaks from "../../../src/extract/article/Breaks.ts"
import * as Draft from "../../../src/extract/article/Draft.ts"
import * as Dom from "../../../src/html/Dom.ts"

const names = (html: string) => {
  const body = Draft.of(Dom.parse(html))
  Breaks.paragraphs(body)
  return {
    elements: Draft.within(body, () => true).map(({ name }) => name),
    text: Blocks.of(body).map(({ text }) => text)
  }
}

describe("Breaks", () => {
  it("makes a paragraph of what follows two line breaks", () => {
    expect(names("<div>one<br> <br>two <b>more</b><br><br><br>three</div>")).toEqual({
      elements: ["div", "p", "b", "p"],
      text: ["one", "two more", "three"]
    })
  })

  it("leaves a single line break", () => {
    expect(names("<div>one<br>two</div>").elements).toEqual(["div", "br"])
  })

  it("ends the paragraph before what stands apart", () => {
    expect(names("<div>one<br><br>two<ul><li>x</li></ul></div>").elements).toEqual(["div", "p", "ul", "li"])
  })

  it("knows what belongs into a line", () => {
    const [link, block] = Draft.within(Draft.of(Dom.parse("<a><b>x</b></a><del><div>y</div></del>")), (name) =>
      ["a", "del"].includes(name)
    ).map(Breaks.isPhrasing)

    expect([link, block]).toEqual([true, false])
  })
})
