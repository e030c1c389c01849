import { describe, expect, it } from "vitest"
import type { JsonSchema } from "#contract/JsonSchema"
import { extract } from "#extract/byRules"

const text = { type: "string" }
const listOf = (html: string, url: string, properties: { readonly [name: string]: JsonSchema }) =>
  extract(
    { url, html, metadata: {} },
    { properties: { items: { type: "array", items: { type: "object", properties } } } },
    undefined
  ).data
const product = { name: text, price: { type: "number" }, url: { type: "string", format: "uri" } }

describe("a list of things where the page has one card", () => {
  it("is that card, and not the page", () => {
    const html = `<main><h1>Search results for lamp</h1><p>1 result</p><div class="grid"><div class="card"><a href="/p/arc">
      <img src="/arc.jpg"></a><h3><a href="/p/arc">Arc lamp</a></h3><span class="price">€129.00</span></div></div></main>`
    expect(listOf(html, "http://shop.test/search?q=lamp", product)).toEqual({
      items: [{ name: "Arc lamp", price: 129, url: "http://shop.test/p/arc" }]
    })
  })

  it("has the address of the card, and not that of the company", () => {
    const html = `<main><h1>Our stores</h1><address>1 Head Office Road, Leeds</address><div class="store">
      <h2><a href="/s/1">Old Town</a></h2><p class="address">5 Castle Street, Edinburgh</p><p class="phone">+44 131 555 0101</p></div></main>`
    expect(listOf(html, "http://shop.test/stores", { name: text, address: text, phone: text })).toEqual({
      items: [{ name: "Old Town", address: "5 Castle Street, Edinburgh", phone: "+44 131 555 0101" }]
    })
  })

  it("is the page where the page says all of it itself, beside a card of something else", () => {
    const html = `<main><h1>Lamp</h1><p class="price">$5</p><section><h2>Related</h2><div class="card">
      <h3><a href="/p/bulb">Bulb</a></h3><span class="price">$2</span></div></section></main>`
    expect(listOf(html, "http://shop.test/p/lamp", product)).toEqual({
      items: [{ name: "Lamp", price: 5, url: "http://shop.test/p/lamp" }]
    })
  })

  it("is null where only a card of something else says a part of it", () => {
    const html = `<main><h1>Lamp</h1><p>A lamp.</p><div class="card"><h3><a href="/p/bulb">Bulb</a></h3><p>$2</p></div></main>`
    const properties = { name: text, brand: text, weight: text, price: { type: "number" } }
    expect(listOf(html, "http://shop.test/p/lamp", properties)).toEqual({ items: null })
  })
})
