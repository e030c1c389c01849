import { describe, expect, it } from "vitest"
import { extract } from "#extract/byRules"

const number = { type: "number" }
const schema = { properties: { name: { type: "string" }, rating: number, review_count: { type: "integer" } } }
const dataOf = (html: string) => extract({ url: "http://shop.test/p/lamp", html, metadata: {} }, schema, undefined).data

describe("a rating beside the number of reviews", () => {
  it("is that of the page where it stands in its text", () => {
    expect(dataOf("<h1>Lamp</h1><div><span>★</span><span>4.6 (1,234 reviews)</span></div>")).toEqual({
      name: "Lamp",
      rating: 4.6,
      review_count: 1234
    })
  })

  it("is that of each card in a list", () => {
    const card = (name: string, said: string) => `<div class="card"><h2>${name}</h2><span>${said}</span></div>`
    const html = `<h1>Tools</h1>${card("Hammer", "4.6 (1,234 reviews)")}${card("Saw", "4.1 (87 reviews)")}${card("Drill", "3.9 (9 reviews)")}`
    const rows = { properties: { tools: { type: "array", items: { type: "object", ...schema } } } }
    expect(extract({ url: "http://shop.test/", html, metadata: {} }, rows, undefined).data).toEqual({
      tools: [
        { name: "Hammer", rating: 4.6, review_count: 1234 },
        { name: "Saw", rating: 4.1, review_count: 87 },
        { name: "Drill", rating: 3.9, review_count: 9 }
      ]
    })
  })

  it("is not that of the page where it stands in a card that leads to another one", () => {
    const card = (name: string, said: string) =>
      `<div class="card"><h3><a href="/p/${name}">${name}</a></h3><span>${said}</span></div>`
    const html = `<h1>Lamp</h1><h2>You may also like</h2>${card("Bulb", "4.1 (12 reviews)")}${card("Cord", "3.1 (9 reviews)")}`
    expect(dataOf(html)).toEqual({ name: "Lamp", rating: null, review_count: null })
  })
})
