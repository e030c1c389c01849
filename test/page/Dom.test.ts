import { describe, expect, it } from "vitest"
import * as Dom from "#page/Dom"

const find = (html: string, name: string): Dom.Element => {
  const found = Dom.elements(Dom.parse(html)).find((element) => element.name === name)
  if (found === undefined) throw new Error(`no ${name}`)
  return found
}

const written = (html: string, name: string): string => {
  const { from, to } = find(html, name)
  return html.slice(from, to)
}

describe("the page as a tree", () => {
  it("nests elements as they open and close, with their attributes decoded", () => {
    const link = find('<p>See <a href="/a?b=1&amp;c=2" hidden>this</a></p>', "a")

    expect([...link.attributes]).toEqual([
      ["href", "/a?b=1&c=2"],
      ["hidden", ""]
    ])
    expect(link.parent?.name).toBe("p")
    expect(link.parent?.parent?.name).toBe("")
  })

  it("knows the characters that an element is written with", () => {
    const html = '<div><p id=a>one<p>two <b>three</b></div><img src="x"> end'

    expect(written(html, "div")).toBe("<div><p id=a>one<p>two <b>three</b></div>")
    expect(written(html, "p")).toBe("<p id=a>one")
    expect(written(html, "b")).toBe("<b>three</b>")
    expect(written(html, "img")).toBe('<img src="x">')
    const { from, inner } = find(html, "p")
    expect(html.slice(from, inner)).toBe("<p id=a>")
  })

  it("knows the characters of texts, and of what is never closed", () => {
    const html = "<ul><li>one<li>t&amp;o"
    const items = Dom.elements(Dom.parse(html)).filter(({ name }) => name === "li")

    expect(items.map(({ from, to }) => html.slice(from, to))).toEqual(["<li>one", "<li>t&amp;o"])
    expect(items[1]?.children).toEqual([{ _tag: "Text", text: "t&o", from: 15, to: 22 }])
  })

  it("ends an element that another one's end tag closes where its content ends", () => {
    expect(written("<div><span>a</div>b", "span")).toBe("<span>a")
  })

  it("lists elements in the order of the page, without what is in a template", () => {
    const html = "<div><p>a<b>b</b></p><template><i>c</i></template></div><hr>"

    expect(Dom.elements(Dom.parse(html)).map(({ name }) => name)).toEqual(["div", "p", "b", "template", "hr"])
    expect(Dom.elements(find(html, "p")).map(({ name }) => name)).toEqual(["b"])
  })

  it("reads a page that nests without end", () => {
    const root = Dom.parse("<div>".repeat(50_000))

    expect(Dom.elements(root)).toHaveLength(50_000)
  })
})

describe("the text of an element", () => {
  it("has one blank for white space, and blocks apart", () => {
    expect(Dom.textOf(find("<div> a\n\t<b>b</b>c<p>d</p>e&nbsp; f</div>", "div"))).toBe("a bc d e f")
  })

  it("leaves out what a reader of the page does not see", () => {
    const html =
      "<div>a<script>b</script><span hidden>c</span><i style='display: none'>d</i><button>e</button><b aria-hidden=true>f</b></div>"

    expect(Dom.textOf(find(html, "div"))).toBe("a")
  })

  it("has what is hidden where the content is asked for, but no program and no style", () => {
    const html = "<div>a<script>b</script><span hidden>c</span><style>d</style><template>e</template></div>"

    expect(Dom.contentOf(find(html, "div"))).toBe("ac")
  })

  it("is cut where it grows too long", () => {
    expect(Dom.textOf(find(`<div>${"<p>word</p>".repeat(1000)}</div>`, "div"), 9)).toBe("word word")
    expect(Dom.textOf(find(`<p>${"word".repeat(1000)}</p>`, "p"), 9)).toBe("wordwordw")
  })
})
