import { describe, expect, it } from "vitest"
import * as Container from "../../../src/extract/article/Container.ts"
import * as Draft from "../../../src/extract/article/Draft.ts"
import * as Dom from "../../../src/html/Dom.ts"

const long = "A long line of text, with a comma or two, that says something worth to be read, by somebody, somewhere."

const find = (html: string, weight = Container.weigh) => {
  const body = Draft.of(Dom.parse(html))
  return Container.find(
    body,
    Draft.within(body, (name) => name === "p"),
    weight
  )
}

describe("Container", () => {
  it("is the parent of the most and longest paragraphs", () => {
    const html = `<div id="a"><p>${long}</p></div><div id="b"><p>${long}</p><p>${long}</p><p>${long}</p></div><div id="c"></div>`

    expect(find(html).attribute("id")).toBe("b")
  })

  it("is worth less the more of it is links", () => {
    const html = `<div id="a">${`<p><a href="/">${long}</a></p>`.repeat(4)}</div><div id="b"><p>${long}</p><p>${long}</p></div>`

    expect(find(html).attribute("id")).toBe("b")
  })

  it("asks the names of elements, where they are believed", () => {
    const html = `<div class="sidebar" id="a"><p>${long}</p><p>${long}</p></div><div class="content" id="b"><p>${long}</p></div>`

    expect(find(html).attribute("id")).toBe("b")
    expect(find(html, () => 0).attribute("id")).toBe("a")
  })

  it("is what holds several that are nearly as good", () => {
    const part = (id: string) => `<div id="${id}"><p>${long}</p><p>${long}</p></div>`
    const html = `<div id="all">${["a", "b", "c", "d"].map(part).join("")}</div><div>x</div>`

    expect(find(html).attribute("id")).toBe("all")
  })

  it("is the whole body where nothing stands out", () => {
    const container = find("<p>short</p>")

    expect(container.source).toBeUndefined()
    expect(Draft.textOf(container, 100)).toBe("short")
  })
})
