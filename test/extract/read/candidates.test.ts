import { describe, expect, it } from "vitest"
import { byRules } from "#extract/byRules"
import { candidates } from "#extract/read/candidates"
import { outline, pairs } from "./outline.ts"

describe("candidates", () => {
  it("have the things that a page declares, and what it says of itself", () => {
    const { things, page } = candidates(
      `<title>Shop</title><script type="application/ld+json">{"@type": "Product", "name": "A"}</script>
      <div itemscope itemtype="https://schema.org/Offer"><b itemprop=price>5</b></div>`,
      "https://shop.test/"
    )

    expect(things.map(outline)).toEqual([
      { type: "Product", name: "A" },
      { type: "Offer", price: "5" }
    ])
    expect(page.id).toBe("https://shop.test/")
    expect(pairs(page.properties)).toMatchObject({ title: "Shop" })
  })

  it("have declared things of one type as a group, each once", () => {
    const { groups } = candidates(
      `<script type="application/ld+json">{"@graph": [
        {"@type": "ItemList", "item": [{"@id": "#1"}, {"@id": "#2"}]},
        {"@type": "Product", "@id": "#1", "name": "A"}, {"@type": "Product", "@id": "#2", "name": "B"}]}</script>`,
      "https://shop.test/"
    )

    expect(groups.map(({ name, things }) => [name, things.map(outline)])).toEqual([
      [
        "Product",
        [
          { type: "Product", id: "https://shop.test/#1", name: "A" },
          { type: "Product", id: "https://shop.test/#2", name: "B" }
        ]
      ]
    ])
  })

  it.each(["", "no markup", "<<<>>>", "<table><tr><td>"])("are there for any text: %j", (html) => {
    expect(candidates(html, "not an address").things).toEqual([])
  })
})

const of = (html: string, ...names: ReadonlyArray<string>) =>
  byRules(
    { html, url: "https://oma.test/cake", metadata: {} },
    {
      schema: { type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])) },
      prompt: undefined
    }
  ).data

const byline = `<span class="author vcard"><a class="url fn n" href="/author/lena">Lena Koch</a></span>`
const page = (more: string) => `<title>Cake - Oma</title><main><h1>Apple cake</h1><p>by ${byline}</p>${more}</main>`

it("a recipe is not called as the card in its byline, which names its author", () => {
  const html = page("<h2>Ingredients</h2><ul><li>Flour<li>Apples</ul>")

  expect(of(html, "name", "author")).toEqual({ name: "Apple cake", author: "Lena Koch" })
})

it("a card that is no byline is what a page is about", () => {
  const card = `<div class="vcard"><b class=fn>Ada Rook</b> <span class=role>Baker</span> <span class=tel>+49 30 1234</span></div>`

  expect(of(`<title>Staff</title>${card}`, "name", "role", "phone")).toEqual({
    name: "Ada Rook",
    role: "Baker",
    phone: "+49 30 1234"
  })
})

const post = (name: string, day: string) =>
  `<article itemscope itemtype="http://schema.org/Article"><a href="/${day}"><b itemprop="name">${name}</b> <time datetime="${day}">${day}</time></a></article>`

describe("a declared list", () => {
  it("has what the page shows beside what it declares, after it", () => {
    const { groups, things } = candidates(
      `<div>${post("A", "2015-03-05")}${post("B", "2014-07-13")}</div>`,
      "https://x.test/"
    )
    const list = groups.find(({ source }) => source.kind === "microdata")

    expect(list?.things.map(outline)).toMatchObject([
      { type: "Article", name: "A", date: "2015-03-05", url: "https://x.test/2015-03-05" },
      { type: "Article", name: "B", date: "2014-07-13", url: "https://x.test/2014-07-13" }
    ])
    expect(things.map(outline)).toEqual([
      { type: "Article", name: "A" },
      { type: "Article", name: "B" }
    ])
  })
})
