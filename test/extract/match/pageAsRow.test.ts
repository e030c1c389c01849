import { describe, expect, it } from "vitest"
import { extract } from "#extract/byRules"

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
  extract(
    { url: "http://site.test/x", html: `<html><body><main>${body}</main></body></html>`, metadata: {} },
    { ...wanted },
    undefined
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
