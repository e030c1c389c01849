import { describe, expect, it } from "vitest"
import * as Draft from "../../../src/extract/article/Draft.ts"
import * as Measure from "../../../src/extract/article/Measure.ts"
import * as Dom from "../../../src/html/Dom.ts"

const draft = (html: string) => Draft.of(Dom.parse(html))

const shape = (node: Draft.Node): string => {
  let inner = ""
  for (let child = node.first; child !== undefined; child = child.next) inner += shape(child)
  return node.name === "" ? node.text : `<${node.name}>${inner}</${node.name}>`
}

const named = (root: Draft.Node, name: string) =>
  Draft.within(root, (other) => other === name)[0] ?? Draft.element("none")

describe("Draft", () => {
  it("holds the body without programs, styles and the head", () => {
    const html =
      "<html><head><title>T</title></head><body><script>x</script><p>a<style>y</style></p><noscript>n</noscript>b</body></html>"

    expect(shape(draft(html))).toBe("<body><p>a</p>b</body>")
  })

  it("needs no body to be written", () => {
    expect(shape(draft("<title>T</title><p>a</p>"))).toBe("<body><p>a</p></body>")
  })

  it("moves, replaces and takes out what a parent holds, wherever it stands", () => {
    const body = draft("<ul><li>a</li></ul><ol><li>b</li></ol><hr>")
    const list = named(body, "ul")

    Draft.append(list, named(named(body, "ol"), "li"))
    Draft.replace(named(body, "ol"), Draft.element("nav"))
    Draft.remove(named(body, "hr"))

    expect(shape(body)).toBe("<body><ul><li>a</li><li>b</li></ul><nav></nav></body>")
  })

  it("forgets what was counted where something changes, and nowhere else", () => {
    const body = draft("<div><p>four</p></div><div><p>text</p></div>")
    const [first, second] = Draft.within(body, (name) => name === "div")
    expect(Measure.of(body).length).toBe(8)

    Draft.remove(named(body, "p"))

    expect(first?.measure).toBeUndefined()
    expect(second?.measure?.length).toBe(4)
    expect(Measure.of(body).length).toBe(4)
  })

  it("goes through the elements in the order of the page, and over what is taken out", () => {
    const body = draft("<div><p>a<b>b</b></p>c<ul><li>d</li></ul></div><hr>")

    expect(Draft.within(body, () => true).map(({ name }) => name)).toEqual(["div", "p", "b", "ul", "li", "hr"])
    expect(Draft.removeAndFollow(named(body, "p"), body)?.name).toBe("ul")
    expect(shape(body)).toBe("<body><div>c<ul><li>d</li></ul></div><hr></hr></body>")
  })

  it("tells what a node stands in, as far as it is asked", () => {
    const cell = named(draft("<table><tr><td><b>x</b></td></tr></table>"), "b")

    expect(Draft.isInside(cell, "table", 4)).toBe(true)
    expect(Draft.isInside(cell, "table", 2)).toBe(false)
  })

  it("is as deep as the page allows and no deeper than can be read", () => {
    expect(Draft.textOf(draft(`${"<div>".repeat(50_000)}deep`), 10)).toBe("deep")
  })
})
