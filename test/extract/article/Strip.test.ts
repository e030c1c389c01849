import { describe, expect, it } from "vitest"
import * as Draft from "../../../src/extract/article/Draft.ts"
import { strip } from "../../../src/extract/article/Strip.ts"
import * as Dom from "../../../src/html/Dom.ts"

const stripped = (html: string, { title = "", believes = true } = {}) => {
  const body = Draft.of(Dom.parse(html))
  const scored = strip(body, { title, believes, onByline: () => false })
  return {
    text: Draft.textOf(body, 1000).trim(),
    elements: Draft.within(body, () => true).map(({ name }) => name),
    scored: scored.map(({ name }) => name)
  }
}

describe("strip", () => {
  it("takes out what is hidden", () => {
    const html = `<p hidden>a</p><p style="color:red; display : none">b</p><p aria-hidden="true">c</p><div role="dialog" aria-modal="true">d</div><p style="visibility:hidden">e</p><p>seen</p>`

    expect(stripped(html, { believes: false }).text).toBe("seen")
  })

  it("keeps what stands in for a formula", () => {
    expect(stripped('<p><i aria-hidden="true" class="fallback-image">x</i></p>').text).toBe("x")
  })

  it("takes out what is named like a side bar, where names are believed", () => {
    const html = `<div class="sidebar">a</div><div role="navigation">b</div><p>seen</p>`

    expect(stripped(html).text).toBe("seen")
    expect(stripped(html, { believes: false }).text).toBe("abseen")
  })

  it("does not take an article for a side bar because of its subjects", () => {
    expect(stripped('<article class="post tag-social"><p>a</p></article>').text).toBe("a")
  })

  it("believes no name in a table or of a link", () => {
    expect(stripped('<table><tr><td class="extra">a</td></tr></table><a class="menu">b</a>').text).toBe("ab")
  })

  it("keeps a quote of another page, whatever its box is called", () => {
    const html = `<div class="social-embed"><blockquote>quoted</blockquote></div><div class="social-links">a</div>`

    expect(stripped(html).text).toBe("quoted")
  })

  it("takes the title out, once", () => {
    expect(stripped("<h1>The mill turns</h1><h2>The mill turns</h2>", { title: "The mill turns" }).elements).toEqual([
      "h2"
    ])
  })

  it("takes out what is empty", () => {
    expect(stripped("<div><br><hr></div><section></section><h2> </h2><div><img></div>").elements).toEqual(["p", "img"])
  })

  it("makes paragraphs of lines in divisions", () => {
    expect(stripped("<div>one <b>two</b><ul><li>x</li></ul>three</div>").elements).toEqual([
      "div",
      "p",
      "b",
      "ul",
      "li",
      "p"
    ])
  })

  it("makes a division a paragraph that is none but one", () => {
    expect(stripped("<div><p>one</p></div><div>two</div>")).toMatchObject({ elements: ["p", "p"], scored: ["p", "p"] })
  })
})
