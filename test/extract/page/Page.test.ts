import { describe, expect, it } from "vitest"
import { Page } from "#extract/page/Page"
import type { Element } from "#page/Dom"

const page = (html: string) => new Page(html, "https://site.test/a/b")

const find = (of: Page, fits: (element: Element) => boolean): Element => {
  const found = of.elements.find(fits)
  if (found === undefined) throw new Error("none")
  return found
}

describe("a page", () => {
  it("makes addresses absolute against its base", () => {
    expect(page("<p>x</p>").resolve(" c ")).toBe("https://site.test/a/c")
    expect(page('<base href="/z/"><base href="/y/">').resolve("c")).toBe("https://site.test/z/c")
    expect(page("").resolve("http://[")).toBeUndefined()
  })

  it("names the way to an element from the nearest id, or from the body", () => {
    const of = page("<body><div><p>a</p><p>b</p></div><table id=specs><tr><td>1</td><td><b>2</b></td></tr></table>")

    expect(of.elements.map((element) => of.pathOf(element))).toEqual([
      "body",
      "div",
      "div > p",
      "div > p[2]",
      "#specs",
      "#specs > tr",
      "#specs > tr > td",
      "#specs > tr > td[2]",
      "#specs > tr > td[2] > b"
    ])
  })

  it("finds an element by its id, the first of two", () => {
    expect(page("<i id=a></i><b id=a></b>").byId("a")?.name).toBe("i")
    expect(page("<i></i>").byId("a")).toBeUndefined()
  })

  it("knows what stands in a menu or in the footer", () => {
    const of = page("<nav><a href=x>x</a></nav><footer><i>y</i></footer><b>z</b>")
    const is = (name: string) => {
      const element = find(of, (own) => own.name === name)
      return [of.isApart(element), of.isInFooter(element)]
    }

    expect([is("a"), is("i"), is("b")]).toEqual([
      [true, false],
      [false, true],
      [false, false]
    ])
  })

  it("knows the heading above a place", () => {
    const html = "<h1>One</h1><p>a</p><h2> Two <i>b</i></h2><p>c</p>"
    const of = page(html)

    expect(of.nameAbove(html.indexOf("<p>a"))).toEqual({ name: "One" })
    expect(of.nameAbove(html.length)).toEqual({ name: "Two b" })
    expect(of.nameAbove(0)).toEqual({})
  })

  it("cuts a value that is too long", () => {
    const of = page("<p>a</p>")

    expect(of.value("text", "a".repeat(50_000), of.root).data).toHaveLength(20_000)
  })
})
