import { describe, expect, it } from "vitest"
import type { JsonSchema } from "#contract/JsonSchema"
import { byRules } from "#extract/byRules"

const number = { type: "number" }

const schema = { properties: { name: { type: "string" }, rating: number, review_count: { type: "integer" } } }
const ratingDataOf = (html: string) =>
  byRules({ url: "http://shop.test/p/lamp", html, metadata: {} }, { schema, prompt: undefined }).data

describe("a rating beside the number of reviews", () => {
  it("is that of the page where it stands in its text", () => {
    expect(ratingDataOf("<h1>Lamp</h1><div><span>★</span><span>4.6 (1,234 reviews)</span></div>")).toEqual({
      name: "Lamp",
      rating: 4.6,
      review_count: 1234
    })
  })

  it("is that of each card in a list", () => {
    const card = (name: string, said: string) => `<div class="card"><h2>${name}</h2><span>${said}</span></div>`
    const html = `<h1>Tools</h1>${card("Hammer", "4.6 (1,234 reviews)")}${card("Saw", "4.1 (87 reviews)")}${card("Drill", "3.9 (9 reviews)")}`
    const rows = { properties: { tools: { type: "array", items: { type: "object", ...schema } } } }
    expect(byRules({ url: "http://shop.test/", html, metadata: {} }, { schema: rows, prompt: undefined }).data).toEqual(
      {
        tools: [
          { name: "Hammer", rating: 4.6, review_count: 1234 },
          { name: "Saw", rating: 4.1, review_count: 87 },
          { name: "Drill", rating: 3.9, review_count: 9 }
        ]
      }
    )
  })

  it("is not that of the page where it stands in a card that leads to another one", () => {
    const card = (name: string, said: string) =>
      `<div class="card"><h3><a href="/p/${name}">${name}</a></h3><span>${said}</span></div>`
    const html = `<h1>Lamp</h1><h2>You may also like</h2>${card("Bulb", "4.1 (12 reviews)")}${card("Cord", "3.1 (9 reviews)")}`
    expect(ratingDataOf(html)).toEqual({ name: "Lamp", rating: null, review_count: null })
  })
})

const product = { type: "object", properties: { name: { type: "string" }, price: number, list_price: number } }
const struckDataOf = (html: string, schema: JsonSchema = product) =>
  byRules({ url: "http://shop.test/p/lamp", html: `<main>${html}</main>`, metadata: {} }, { schema, prompt: undefined })
    .data

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
    expect(struckDataOf(`<h1>Lamp</h1>${html}`)).toMatchObject({ name: "Lamp", price: 749 })
  })

  it("is the price before, of a page and of each card", () => {
    const sale = (before: string, now: string) => `<p class="price"><del>${before}</del> <ins>${now}</ins></p>`
    expect(struckDataOf(`<h1>Lamp</h1>${sale("€899.00", "€749.00")}`)).toEqual({
      name: "Lamp",
      price: 749,
      list_price: 899
    })
    const card = (name: string, price: string) =>
      `<li class="card"><h2><a href="/p/${name}">${name}</a></h2>${price}</li>`
    const html = `<h1>Lamps</h1><ul>${card("Arc", sale("€99.00", "€79.00"))}${card("Bow", `<p class="price">€20.00</p>`)}${card("Cone", sale("€40.00", "€25.00"))}</ul>`
    expect(struckDataOf(html, { properties: { lamps: { type: "array", items: product } } })).toEqual({
      lamps: [
        { name: "Arc", price: 79, list_price: 99 },
        { name: "Bow", price: 20, list_price: null },
        { name: "Cone", price: 25, list_price: 40 }
      ]
    })
  })

  it("is nothing where it is all that the page says", () => {
    expect(struckDataOf("<h1>Lamp</h1><p><del>€899.00</del></p>")).toMatchObject({ price: null })
  })
})

const money = { type: "object", properties: { price: number } }

const dataOf = (body: string, head = "", schema: object = money) =>
  byRules(
    {
      url: "http://site.test/p/1",
      html: `<!doctype html><html lang="en"><head>${head}</head><body><main>${body}</main></body></html>`,
      metadata: {}
    },
    { schema: { ...schema }, prompt: undefined }
  ).data

describe("the price of a page that says several sums, or none by a name", () => {
  it.each([
    ["in the title alone", "<h1>Station Road</h1>", "<title>4 bed house for sale - £725,000</title>", 725_000],
    [
      "in a tag of the head",
      "<h1>Road</h1>",
      `<meta property="og:title" content="Road... 4 bed house - £725,000">`,
      725_000
    ],
    ["beside its code", "<h1>Lamp</h1><p>300.000 VND</p>", "", 300_000],
    ["after what it was", `<h1>Lamp</h1><p class="price">Was $120.00 Now $60.00</p>`, "", 60],
    ["after what it was, behind a label", "<h1>Lamp</h1><p>Price: Was $120.00 Now $60.00</p>", "", 60],
    [
      "behind a label with more words",
      "<h1>A house near the £2 shop</h1><dl><dt>Guide price</dt><dd>£725,000 (3 beds)</dd></dl>",
      "",
      725_000
    ],
    ["beside instalments", "<h1>Sofa</h1><p>or 4 interest-free payments of $30.00</p><p>$110.00</p>", "", 110],
    ["beside a deposit", "<h1>2 bed flat to rent</h1><p>Deposit £1,384</p><p>£1,200 pcm</p>", "", 1200],
    [
      "that its title says too, beside a sum in a heading",
      "<h1>House</h1><h4>Monthly repayment</h4><h5>£3,170</h5><div>£695,000</div>",
      "<title>3 bedroom house for £695,000</title>",
      695_000
    ],
    [
      "that it declares, beside a sentence",
      "<h1>Lamp for the $5 shelf</h1>",
      `<script type="application/ld+json">{"@type":"Product","name":"Lamp","description":"Worth $99","offers":{"price":"60","priceCurrency":"USD"}}</script>`,
      60
    ]
  ])("is the one %s", (_, body, head, price) => {
    expect(dataOf(body, head)).toEqual({ price })
  })

  it("is no deposit, instalment or saving, which fill fields of their own", () => {
    const body = "<h1>Flat</h1><dl><dt>Deposit</dt><dd>£500</dd><dt>Monthly payment</dt><dd>£90</dd></dl>"
    const properties = { price: number, deposit: number, monthly_payment: number }

    expect(dataOf(body)).toEqual({ price: null })
    expect(dataOf(body, "", { type: "object", properties })).toEqual({ price: null, deposit: 500, monthly_payment: 90 })
  })

  it("is no number of an address or of a tag for robots", () => {
    const head = `<meta name="robots" content="index, follow, max-snippet:-1">`

    expect(dataOf(`<h1>Lamp</h1><p><a href="https://video.test/p3kF2c23Q">Video</a></p>`, head)).toEqual({
      price: null
    })
  })
})
