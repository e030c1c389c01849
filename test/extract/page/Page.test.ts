import { describe, expect, it } from "vitest"
import { Page } from "#extract/page/Page"
import { contentOf, type Element } from "#page/Dom"

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

it.each([
  ["<nav>a</nav>", true],
  ["<div role=navigation>a</div>", true],
  ["<ul class='main-menu'><li><a href=a>Home</a></ul>", true],
  ["<ol class=breadcrumb><li><a href=a>Home</a></ol>", true],
  ["<div class=menu><p>Soup of the day 5.00</p><a href=a>More</a></div>", false],
  ["<main class=nav><a href=a>a</a></main>", false],
  ["<div class=navy><a href=a>a</a></div>", false],
  ["<div>a</div>", false]
])("%s leads through the site: %s", (html, is) => {
  const of = page(html)
  expect(of.isApart(find(of, () => true))).toBe(is)
})

it("the footer of an article is no footer of the page", () => {
  const of = page("<article><footer>by me</footer></article><footer>all rights</footer>")
  const footers = of.elements.filter(({ name }) => name === "footer")

  expect(footers.map((footer) => of.isInFooter(footer))).toEqual([false, true])
})

const permalinkPage = (html: string) => new Page(html, "https://docs.test/guide")

describe("permalinks", () => {
  it.each([
    '<h2>Alpha<a class="headerlink" href="#alpha" title="Permalink to this heading">#</a></h2>',
    '<h2>Alpha<a class="headerlink" href="#alpha">¶</a></h2>',
    '<h2>Alpha<a class="hash-link" href="#alpha" title="Direct link to Alpha">&#8203;</a></h2>',
    '<h2><a class="anchor" href="#alpha"><svg><path/></svg></a>Alpha</h2>',
    '<h2>Alpha <a href="https://docs.test/guide#alpha" aria-label="Link to this heading"></a></h2>',
    '<dt>Alpha<a href="#alpha"><span class="sr">Permalink to “Alpha”</span></a></dt>',
    '<div><h2>Alpha</h2><a class="anchor" href="#alpha" aria-label="Permalink: Alpha"><svg></svg></a></div>'
  ])("are no part of the text of %s", (html) => {
    const { permalinks, root } = permalinkPage(html)

    expect(contentOf(root)).toBe("Alpha")
    expect([...permalinks.values()]).toEqual(["#alpha"])
  })

  it.each([
    '<h2><a class="anchor" href="#alpha">Alpha</a></h2>',
    '<h2><a href="/alpha">Alpha</a></h2>',
    '<p>Alpha<a href="#alpha"><img src="a.png"></a></p>',
    '<p>Alpha <a href="#"></a></p>',
    '<p><a href="#alpha">Alpha</a></p>'
  ])("are not the links of %s", (html) => {
    expect(permalinkPage(html).permalinks.size).toBe(0)
  })

  it("to another page stay", () => {
    expect(contentOf(permalinkPage('<h2>Alpha <a class="permalink" href="/posts/1">#</a></h2>').root)).toBe("Alpha #")
  })
})
