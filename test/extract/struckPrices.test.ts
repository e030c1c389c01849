import { describe, expect, it } from "vitest"
import type { JsonSchema } from "#contract/JsonSchema"
import { extract } from "#extract/byRules"

const number = { type: "number" }
const product = { type: "object", properties: { name: { type: "string" }, price: number, list_price: number } }
const dataOf = (html: string, schema: JsonSchema = product) =>
  extract({ url: "http://shop.test/p/lamp", html: `<main>${html}</main>`, metadata: {} }, schema, undefined).data

describe("a price that is struck through", () => {
  it.each([
    ["del", `<p class="price"><del>€899.00</del> <strong>€749.00</strong></p>`],
    ["s, without a class", `<p><s>€899.00</s> <b>€749.00</b></p>`],
    [
      "del around a sum with a class",
      `<p class="price"><del><span class="amount">€899.00</span></del> <ins><span class="amount">€749.00</span></ins></p>`
    ],
    [
      "a class",
      `<div><span class="text-gray-500 line-through">€899.00</span><span class="text-xl">€749.00</span></div>`
    ],
    ["a label before it", `<p>Price: <del>€899.00</del> €749.00</p>`],
    ["a definition", `<dl><dt>Price</dt><dd><del>€899.00</del> €749.00</dd></dl>`]
  ])("by %s is not the price", (_, html) => {
    expect(dataOf(`<h1>Lamp</h1>${html}`)).toMatchObject({ name: "Lamp", price: 749 })
  })

  it("is the price before, of a page and of each card", () => {
    const sale = (before: string, now: string) => `<p class="price"><del>${before}</del> <ins>${now}</ins></p>`
    expect(dataOf(`<h1>Lamp</h1>${sale("€899.00", "€749.00")}`)).toEqual({ name: "Lamp", price: 749, list_price: 899 })
    const card = (name: string, price: string) =>
      `<li class="card"><h2><a href="/p/${name}">${name}</a></h2>${price}</li>`
    const html = `<h1>Lamps</h1><ul>${card("Arc", sale("€99.00", "€79.00"))}${card("Bow", `<p class="price">€20.00</p>`)}${card("Cone", sale("€40.00", "€25.00"))}</ul>`
    expect(dataOf(html, { properties: { lamps: { type: "array", items: product } } })).toEqual({
      lamps: [
        { name: "Arc", price: 79, list_price: 99 },
        { name: "Bow", price: 20, list_price: null },
        { name: "Cone", price: 25, list_price: 40 }
      ]
    })
  })

  it("is nothing where it is all that the page says", () => {
    expect(dataOf("<h1>Lamp</h1><p><del>€899.00</del></p>")).toMatchObject({ price: null })
  })
})
