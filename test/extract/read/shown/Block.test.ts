import { describe, expect, it, test } from "vitest"
import { Budget } from "#extract/page/Budget"
import { Page } from "#extract/page/Page"
import { blockOf } from "#extract/read/shown/Block"
import { elements } from "#page/Dom"
import { outline } from "../outline.ts"

const block = (html: string, places = new Map<string, number>()) => {
  const page = new Page(html, "https://shop.test/")
  const [element] = elements(page.root)
  return element === undefined ? undefined : outline(blockOf(page, element, places, new Budget(1000)))
}

test("a block has its heading, links, pictures, times and what its classes and data name", () => {
  expect(
    block(`<li data-sku=7><h3><a href=/1 title="The first one">The first…</a></h3><img src=1.png alt="A picture">
      <p class=star-rating><i class="rating Three"></i></p><span class=price>5 EUR</span><time datetime=2024-05-01>May</time>
      <p>Size: XL</p></li>`)
  ).toEqual({
    sku: "7",
    heading: "The first one",
    title: "The first one",
    url: "https://shop.test/1",
    link: "The first one",
    image: "https://shop.test/1.png",
    alt: "A picture",
    rating: "Three",
    price: "5 EUR",
    date: "2024-05-01",
    text: "Size: XL",
    Size: "XL"
  })
})

test("a text without a name is called by its place, the same in each block", () => {
  const places = new Map<string, number>()

  expect(block("<li><b>One</b><i>1</i></li>", places)).toEqual({ text: "One", "text 2": "1", One: "1" })
  expect(block("<li><i>2</i><u>4</u></li>", places)).toEqual({ "text 2": "2", "text 3": "4" })
  expect(block("<li><b>Three</b><i>3</i></li>", places)).toEqual({ text: "Three", "text 2": "3", Three: "3" })
})

test("a price is known by its currency where no class names it", () => {
  expect(block("<li><b>Tea</b><i>$4.50</i></li>")).toEqual({
    text: "Tea",
    "text 2": "$4.50",
    Tea: "$4.50",
    price: "$4.50"
  })
})

describe("a block", () => {
  const of = (html: string) => {
    const page = new Page(`<body>${html}</body>`, "https://shop.test/list")
    const element = page.elements.find(({ name }) => name === "li" || name === "section")
    if (element === undefined) throw new Error("there is no block")
    return outline(blockOf(page, element, new Map(), new Budget(100)))
  }

  it("has the address of its place where it links to nothing", () => {
    expect(of("<section id=s1><h3>One</h3></section>")).toEqual({ heading: "One", url: "https://shop.test/list#s1" })
    expect(of("<section><h3 id=h>One</h3></section>")).toMatchObject({ url: "https://shop.test/list#h" })
    expect(of('<section id=s1><a href="/one">One</a></section>')).toMatchObject({ url: "https://shop.test/one" })
  })

  it("has its paragraphs as one text", () => {
    const [a, b] = [
      "For the purpose of this title the following shall apply.",
      "An animal at large is not under restraint."
    ]

    expect(of(`<section><h3>One</h3><p>${a}</p><p>${b}</p></section>`)).toEqual({ heading: "One", text: `${a}\n${b}` })
  })

  it("has a text without the day that stands before it", () => {
    expect(of("<section><p><time datetime=2026-02-25>2026-02-25</time> Ada made cake.</p></section>")).toEqual({
      date: "2026-02-25",
      text: "Ada made cake."
    })
  })

  it("has a website where it links to another host", () => {
    expect(of('<li><a href="/a">A</a> <a href="https://a.test/">Site</a></li>')).toMatchObject({
      website: "https://a.test/"
    })
    expect(of('<li><a href="/a">A</a></li>')).not.toHaveProperty("website")
  })

  it("is called by its summary", () => {
    expect(of("<li><details><summary>Where?</summary><p>Here.</p></details></li>")).toMatchObject({ heading: "Where?" })
  })
})

test("a block is called as its heading is, without the link to itself, and has the address that it leads to", () => {
  expect(
    block(
      '<section><h3>Alpha<a class="headerlink" href="#alpha" title="Permalink to this heading">#</a></h3></section>'
    )
  ).toEqual({ heading: "Alpha", url: "https://shop.test/#alpha" })
})

test("a list of definitions with a class is called by its term", () => {
  expect(
    block("<dl class=function><dt id=open><code>open(path)</code></dt><dd><p>Opens a file.</p></dd></dl>")
  ).toEqual({
    heading: "open(path)",
    text: "Opens a file.",
    url: "https://shop.test/#open"
  })
})

test("the address of a block is that of its title, where the first link shows nothing", () => {
  const url = (html: string) => block(html)

  expect(url("<li><a href=/vote><i></i></a><b class=title><a href=/1>One</a></b></li>")).toMatchObject({
    url: "https://shop.test/1"
  })
  expect(url("<li><a href=/1></a><b>One</b> by <a href=/ada>Ada</a></li>")).toMatchObject({
    url: "https://shop.test/1",
    author: "Ada"
  })
  expect(url("<li><a href=/1><img src=1.png></a><h3><a href=/2>Two</a></h3></li>")).toMatchObject({
    url: "https://shop.test/1"
  })
})
