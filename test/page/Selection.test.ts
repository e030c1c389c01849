import { describe, expect, it } from "vitest"
import * as Page from "#page/Page"
import { choose } from "#page/Selection"

const nothing = { include: [], exclude: [], attributes: [] }

const read = (html: string, wanted: Partial<Parameters<typeof choose>[0]>, options: Partial<Page.PageOptions> = {}) => {
  const choice = choose({ ...nothing, ...wanted })
  if (typeof choice === "string") throw new Error(choice)
  return Page.parse(
    { url: "http://site.test/", body: new TextEncoder().encode(html), contentType: "text/html; charset=utf-8" },
    { ...Page.defaults, choice, ...options }
  )
}

/** The ids of the elements that a selector matches. */
const matched = (html: string, selector: string): string =>
  (read(html, { attributes: [{ selector, attribute: "id" }] }).attributes?.[0]?.values ?? []).join(" ")

const tree =
  '<html><head><meta id="m"></head><body class="page home"><div id="a"><p id="b" class="x">1<p id="c" class="x y" lang="en-GB">2' +
  '<span id="d" data-n="42">3</span></div><p id="e">4</p><a id="f" href="/docs/x.pdf">5</a><ul id="u"><li id="l1"><li id="l2" class="x"><li id="l3"></ul>' +
  '<table id="t"><tr id="r1"><td id="c1"><tr id="r2"><td id="c2"></table></body></html>'

describe("a selector", () => {
  it.each([
    ["p", "b c e"],
    ["P.x", "b c"],
    [".x.y", "c"],
    ["#d", "d"],
    ["*[data-n]", "d"],
    ["[data-n='42']", "d"],
    ["[href^='/docs']", "f"],
    ["[href$='.PDF' i]", "f"],
    ["[href*='x.']", "f"],
    ["[class~=y]", "c"],
    ["[lang|=en]", "c"],
    ["[class!='x']", "m a c d e f u l1 l3 t r1 c1 r2 c2"],
    ["div p", "b c"],
    ["body > p", "e"],
    ["body p", "b c e"],
    ["div + p", "e"],
    ["div ~ *", "e f u t"],
    ["p:not(.x)", "e"],
    ["p:not(div p)", "e"],
    [":is(ul, div) > :is(li, p).x", "b c l2"],
    ["li:first-child", "l1"],
    ["li:nth-child(2n+1)", "l1 l3"],
    ["li:nth-child(odd)", "l1 l3"],
    ["li:nth-child(-n+2)", "l1 l2"],
    ["li:nth-child(3)", "l3"],
    ["p:nth-of-type(1)", "b e"],
    [".page.home > div > p > span", "d"],
    ["#t > tbody > tr:nth-child(2) > td", "c2"],
    ["head > meta", "m"],
    ["html > body > div", "a"],
    ["p, li.x", "b c e l2"]
  ])("%s matches %s", (selector, ids) => {
    expect(matched(tree, selector)).toBe(ids)
  })

  it("finds parts of HTML that the page does not write", () => {
    const bare = '<title>x</title><meta id="m"><p id="p">text<table id="t"><tr id="r"><td>1</table>'

    expect(matched(bare, "html > head > meta")).toBe("m")
    expect(matched(bare, "html > body > p")).toBe("p")
    expect(matched(bare, "tbody > tr:first-child")).toBe("r")
  })

  it.each([
    ["p:last-child", ":last-child is not supported"],
    ["div:has(p)", ":has is not supported"],
    ["p::before", "::before is not an element"],
    ["p[", "cannot be used"],
    ["li:nth-child(x)", "is not a formula"]
  ])("%s is refused by name", (selector, why) => {
    const choice = choose({ ...nothing, include: [selector] })

    expect(choice).toContain(JSON.stringify(selector))
    expect(choice).toContain(why)
  })

  it("costs a bounded amount on a page that nests and repeats without end", () => {
    const page = "<div class=a>".repeat(5000) + "<i class=b></i>".repeat(20_000)

    expect(matched(page, ".a .a .a ~ .b")).toBe("")
  })
})

describe("a selection", () => {
  const shop =
    "<title>Shop</title><nav><a href=/home>Home</a></nav><main><h1 class=name>Lamp</h1><div class=ad>Buy now</div>" +
    "<p class=text>Bright <b>and</b> warm.</p><ul><li>One</li><li class=sold>Two</li></ul></main>"

  it("keeps only what is included, as blocks of their own, whatever is main content", () => {
    const { markdown, html } = read(shop, { include: [".name", "b", "nav"] }, { html: true })

    expect(markdown).toBe("[Home](http://site.test/home)\n\n# Lamp\n\n**and**")
    expect(html).toBe('<nav><a href="http://site.test/home">Home</a></nav>\n<h1 class="name">Lamp</h1>\n<b>and</b>')
  })

  it("leaves out what is excluded, also inside of what is included", () => {
    const { markdown } = read(shop, { include: ["main"], exclude: [".ad", "li.sold"] })

    expect(markdown).toBe("# Lamp\n\nBright **and** warm.\n\n- One")
  })

  it("does not change the links and the metadata", () => {
    const page = read(shop, { include: [".text"], exclude: ["head, nav"] })

    expect(page.links).toEqual(["http://site.test/home"])
    expect(page.metadata).toEqual({ title: "Shop" })
  })

  it("gives nothing where nothing matches", () => {
    expect(read(shop, { include: [".none"] }).markdown).toBe("")
  })

  it("reads attributes of elements that nobody sees, in the order of the page", () => {
    const page = read('<meta name=k content=v><p hidden data-x=1><p data-x="2&amp;3"><p>', {
      attributes: [
        { selector: "p", attribute: "data-x" },
        { selector: "meta", attribute: "CONTENT" }
      ]
    })

    expect(page.attributes).toEqual([
      { selector: "p", attribute: "data-x", values: ["1", "2&3"] },
      { selector: "meta", attribute: "CONTENT", values: ["v"] }
    ])
  })

  it("gives every value of an attribute, and each whole", () => {
    const long = "x".repeat(20_000)
    const html = `<p id="${long}">a</p>${Array.from({ length: 12_000 }, (_, at) => `<i id=${at}></i>`).join("")}`
    const [ids] = read(html, { attributes: [{ selector: "[id]", attribute: "id" }] }).attributes ?? []

    expect(ids?.values).toHaveLength(12_001)
    expect(ids?.values[0]).toBe(long)
    expect(ids?.values.at(-1)).toBe("11999")
  })
})
