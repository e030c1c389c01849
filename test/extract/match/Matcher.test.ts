import { describe, expect, it } from "vitest"
import type { Json, JsonSchema } from "#contract/JsonSchema"
import { byRules } from "#extract/byRules"
import type { Candidates } from "#extract/Candidates"
import { match } from "#extract/match/Matcher"
import { group, offered, thing } from "../offered.ts"

const setting = { url: "http://site.test/page", language: "en" }
const text = { type: "string" } as const
const number = { type: "number" } as const
const object = (properties: { readonly [name: string]: Json }): JsonSchema => ({ type: "object", properties })
const list = (items: Json): JsonSchema => ({ type: "array", items })
const data = (candidates: Candidates, schema: JsonSchema, prompt?: string) =>
  match(candidates, schema, setting, prompt).data

const lamp = thing({
  "@type": "Product",
  name: "Lamp",
  sku: "L-1",
  brand: { "@type": "Brand", name: "Lumo" },
  offers: { "@type": "Offer", price: "12.50", priceCurrency: "EUR", seller: { name: "Shop" } },
  review: [
    { author: { name: "Ada" }, reviewBody: "Bright", datePublished: "2026-03-01" },
    { author: { name: "Bob" }, reviewBody: "Dim", datePublished: "2026-03-02" }
  ]
})

describe("an object", () => {
  it("is filled from the thing that covers it best, parts included", () => {
    const site = thing({ "@type": "WebSite", name: "Shop", url: "http://site.test/" })
    const schema = object({ item_title: text, cost: number, cost_currency: text, maker: text })

    expect(data(offered({}, [site, lamp]), schema)).toEqual({
      item_title: "Lamp",
      cost: 12.5,
      cost_currency: "EUR",
      maker: "Lumo"
    })
  })

  it("does not take for itself what is said of a part", () => {
    const schema = object({ author: text, published_on: { type: "string", format: "date" }, name: text })

    expect(data(offered({}, [lamp]), schema)).toEqual({ author: null, published_on: null, name: "Lamp" })
  })

  it("is filled from labels where nothing is declared", () => {
    const page = offered({ Price: "£5", "Closing date": "3 May 2026", Weight: "2.5 kg" })
    const schema = object({
      price: number,
      currency: text,
      apply_before: { type: "string", format: "date" },
      weight_g: number
    })

    expect(data(page, schema)).toEqual({ price: 5, currency: "GBP", apply_before: "2026-05-03", weight_g: 2500 })
  })

  it("gives a value to the property that it answers best, and to no other", () => {
    const page = offered({ "Start date": "2026-05-01", "End date": "2026-05-03" })

    expect(data(page, object({ start: text, end: text, deadline: text }))).toEqual({
      start: "2026-05-01",
      end: "2026-05-03",
      deadline: null
    })
  })

  it("understands names that say nothing by their description or title", () => {
    const page = offered({ Salary: "£31,500 a year", Employer: "Pike & Sons" })
    const schema = object({
      x1: { type: "number", description: "pay per year" },
      x2: { type: "string", title: "Company" },
      x3: { type: "string", description: "telephone number of the office" }
    })

    expect(data(page, schema)).toEqual({ x1: 31_500, x2: "Pike & Sons", x3: null })
  })

  it("is filled from the one of several things that the page is about, and from none where it is about none", () => {
    const others = ["Lamp", "Kettle", "Saw"].map((name) => thing({ "@type": "Product", name, sku: `S-${name}` }))

    expect(data(offered({ heading: "Kettle, blue" }, others), object({ sku: text }))).toEqual({ sku: "S-Kettle" })
    expect(data(offered({ heading: "Shelf" }, others), object({ sku: text }))).toEqual({ sku: null })
  })

  it("never uses a default, and lists what is missing", () => {
    const schema = object({ price: { type: "number", default: 7 }, "a/b": text })

    expect(match(offered({}), schema, setting)).toEqual({
      data: { price: null, "a/b": null },
      sources: new Map(),
      missing: ["/price", "/a~1b"]
    })
  })

  it("splits the number of a heading from its title where both are asked for", () => {
    const page = offered({ heading: "§ 3-204 Keeping of bees" }, [], [], "heading")

    expect(data(page, object({ section_no: text, heading: text }))).toEqual({
      section_no: "3-204",
      heading: "Keeping of bees"
    })
    expect(data(page, object({ heading: text }))).toEqual({ heading: "§ 3-204 Keeping of bees" })
  })
})

describe("an object in an object", () => {
  it("is filled from the part of its name", () => {
    const schema = object({
      name: text,
      offer: object({ amount: number, seller: text }),
      brand: object({ name: text })
    })

    expect(data(offered({}, [lamp]), schema)).toEqual({
      name: "Lamp",
      offer: { amount: 12.5, seller: "Shop" },
      brand: { name: "Lumo" }
    })
  })

  it("is filled from names that begin with its own, else from the same level", () => {
    const page = offered({ offer_price: "5", "Street address": "1 Mill Lane", Town: "Ulm", name: "Fair" })
    const schema = object({
      offer: object({ price: number }),
      address: object({ street: text, city: text, name: text })
    })

    expect(data(page, schema)).toEqual({
      offer: { price: 5 },
      address: { street: "1 Mill Lane", city: "Ulm", name: null }
    })
  })
})

describe("a list of objects", () => {
  const people = group([
    { Name: "Ada", Ward: "Mill", "Elected with": "670 votes" },
    { Name: "Bob", Ward: "Weir", "Elected with": "" },
    { Name: "Cleo", Ward: "Quay", "Elected with": "512 votes" }
  ])

  it("is filled from the table that covers it best, column by column", () => {
    const other = group([
      { x: "1", y: "2" },
      { x: "3", y: "4" }
    ])
    const schema = object({ members: list(object({ name: text, votes: { type: "integer" } })) })

    expect(data(offered({}, [], [other, people]), schema)).toEqual({
      members: [
        { name: "Ada", votes: 670 },
        { name: "Bob", votes: null },
        { name: "Cleo", votes: 512 }
      ]
    })
  })

  it("is filled at the top of a schema too, with the place of each value", () => {
    const found = match(offered({}, [], [people]), list(object({ name: text, votes: number })), setting)

    expect(found.data).toHaveLength(3)
    expect(found.sources.get("/2/name")?.kind).toBe("table")
    expect(found.missing).toEqual(["/1/votes"])
  })

  it("is filled from the parts of a thing", () => {
    const schema = object({ name: text, reviews: list(object({ author: text, text: text, date: text })) })

    expect(data(offered({}, [lamp]), schema)).toEqual({
      name: "Lamp",
      reviews: [
        { author: "Ada", text: "Bright", date: "2026-03-01" },
        { author: "Bob", text: "Dim", date: "2026-03-02" }
      ]
    })
  })

  it("is one row of what a thing says of its own offer, and never of somebody else's comment", () => {
    const page = offered({ price: "£5", availability: "in stock", author: "Ada", date: "2026-03-01" })
    const schema = object({
      offers: list(object({ amount: number, currency: text, availability: text })),
      comments: list(object({ author: text, date: text }))
    })

    expect(data(page, schema)).toEqual({
      offers: [{ amount: 5, currency: "GBP", availability: "in stock" }],
      comments: null
    })
  })

  it("keeps the rows that a plain rule of the prompt asks for", () => {
    const shelf = group([
      { name: "Lamp", price: "£5", availability: "in stock" },
      { name: "Pot", price: "£80", availability: "sold out" },
      { name: "Saw", price: "£90", availability: "in stock" }
    ])
    const names = (prompt: string) =>
      data(offered({}, [], [shelf]), list(object({ name: text, price: number })), prompt)

    expect(names("only products in stock")).toEqual([
      { name: "Lamp", price: 5 },
      { name: "Saw", price: 90 }
    ])
    expect(names("products under £50")).toEqual([{ name: "Lamp", price: 5 }])
    expect(names("all available products, with price")).toHaveLength(2)
    for (const field of [
      "and whether they are in stock",
      "with price and in stock status",
      "and, if available, the size"
    ]) {
      expect(names(`all products ${field}`)).toHaveLength(3)
    }
    expect(names("nice products")).toHaveLength(3)
  })
})

describe("a list of values", () => {
  it("is what comes several times, what one text lists, or the items of a list of that name", () => {
    const duties = group([{ text: "Keep the pump" }, { text: "Answer letters" }], "What you will do", "block")
    const page = offered({ "article:tag": ["weirs", "mills"], Colours: "red, green" }, [], [duties])
    const schema = object({ tags: list(text), colours: list(text), responsibilities: list(text), sizes: list(text) })

    expect(data(page, schema)).toEqual({
      tags: ["weirs", "mills"],
      colours: ["red", "green"],
      responsibilities: ["Keep the pump", "Answer letters"],
      sizes: null
    })
  })
})

describe("a schema", () => {
  it("may refer to itself and leave choices", () => {
    const schema: JsonSchema = {
      ...object({ price: { anyOf: [{ type: "null" }, { $ref: "#/$defs/money" }] }, parts: list({ $ref: "#" }) }),
      $defs: { money: { type: "number" } }
    }

    expect(data(offered({ Price: "5" }), schema)).toEqual({ price: 5, parts: null })
  })

  it("may ask for one value", () => {
    expect(data(offered({ Price: "5" }), { type: "number", title: "price" })).toBe(5)
  })

  it("is filled the same way each time", () => {
    const page = offered({ heading: "Lamp", Price: "£5" }, [lamp])
    const schema = object({ name: text, price: number, sku: text })
    const first = match(page, schema, setting)

    expect(match(page, schema, setting)).toEqual(first)
  })
})

const schema = (...required: ReadonlyArray<string>) => ({
  type: "object",
  properties: {
    lamps: {
      type: "array",
      items: {
        type: "object",
        required,
        properties: { name: { type: "string" }, price: { type: "number" }, sku: { type: "string" } }
      }
    }
  }
})

const named = {
  type: "object",
  properties: {
    lamps: {
      type: "array",
      items: { type: "object", properties: { name: { type: "string" }, price: { type: "number" } } }
    }
  }
}

const read = (body: string, wanted: object = schema()) =>
  byRules(
    { url: "http://site.test/x", html: `<html><body><main>${body}</main></body></html>`, metadata: {} },
    { schema: { ...wanted }, prompt: undefined }
  ).data

describe("a list that is all that is wanted", () => {
  it("has the page itself as its row where the page is one of the things", () => {
    expect(read("<h1>Ash lamp</h1><dl><dt>Price</dt><dd>£140.00</dd></dl>")).toEqual({
      lamps: [{ name: "Ash lamp", price: 140, sku: null }]
    })
  })

  it("has no row of a page that says no more than any page does", () => {
    expect(read("<h1>About us</h1><p>We make lamps.</p>")).toEqual({ lamps: null })
  })

  it("has no row of a page that lacks what is required", () => {
    const page = "<h1>Ash lamp</h1><dl><dt>Price</dt><dd>£140.00</dd></dl>"

    expect(read(page, schema("sku"))).toEqual({ lamps: null })
  })

  it("is the list of the page where there is one", () => {
    const rows = ["Ash", "Oak", "Elm"].map((wood, i) => `<tr><td>${wood} lamp</td><td>£${i + 1}.50</td></tr>`).join("")
    const page = `<h1>Lamps</h1><table><tr><th>Name</th><th>Price</th></tr>${rows}</table>`

    expect(read(page)).toMatchObject({ lamps: [{ name: "Ash lamp" }, { name: "Oak lamp" }, { name: "Elm lamp" }] })
  })

  it("stays empty where other things are wanted beside it", () => {
    const beside = { type: "object", properties: { ...schema().properties, shop: { type: "string" } } }
    const page = "<h1>Ash lamp</h1><dl><dt>Price</dt><dd>£140.00</dd></dl>"

    expect(read(page, beside)).toMatchObject({ lamps: null })
  })

  it("gives the row of the page itself the page's own address", () => {
    const addressed = {
      type: "object",
      properties: {
        lamps: {
          type: "array",
          items: {
            type: "object",
            properties: { name: { type: "string" }, price: { type: "number" }, link: { type: "string", format: "uri" } }
          }
        }
      }
    }

    expect(read("<h1>Ash lamp</h1><dl><dt>Price</dt><dd>£140.00</dd></dl>", addressed)).toEqual({
      lamps: [{ name: "Ash lamp", price: 140, link: "http://site.test/x" }]
    })
  })

  it("reads what the page says beside a thing that it declares alone", () => {
    const page = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Ash lamp",
      "offers":{"@type":"Offer","price":"140.00"}}</script><h1>Ash lamp</h1><dl><dt>SKU</dt><dd>A-1</dd></dl>`

    expect(read(page)).toEqual({ lamps: [{ name: "Ash lamp", price: 140, sku: "A-1" }] })
  })

  it("has no listing of such pages as a row, whose sums and days in the text may be of anything", () => {
    const links = [1, 2, 3].map((i) => `<li><a href="/x/${i}">Elm ${i}</a></li>`).join("")

    expect(read(`<h1>Sale</h1><p>Free shipping from £50</p><ul>${links}</ul>`, named)).toEqual({ lamps: null })
    expect(read(`<h1>Elm 40</h1><p>only £50</p><ul>${links.replaceAll("/x/", "/y/")}</ul>`, named)).toEqual({
      lamps: [{ name: "Elm 40", price: 50 }]
    })
    expect(read(`<h1>Oak 40</h1><p>Price: £50</p><ul>${links}</ul>`, named)).toEqual({
      lamps: [{ name: "Oak 40", price: 50 }]
    })
  })
})
