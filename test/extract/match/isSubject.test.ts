import { expect, it } from "vitest"
import type { Json } from "#contract/JsonSchema"
import { byRules } from "#extract/byRules"

const text = { type: "string" }
const number = { type: "number" }
const object = (properties: { readonly [name: string]: Json }) => ({ type: "object", properties })

const of = (properties: { readonly [name: string]: Json }) =>
  byRules(
    {
      html: `<title>Kettle | Shop</title><main><h1>Kettle</h1><p class="price">$49.00</p><p>It boils a litre in two minutes.</p></main>`,
      url: "http://shop.test/kettle",
      metadata: {}
    },
    { schema: object(properties), prompt: undefined }
  ).data

it("an object that holds all that is wanted of a page has the name of the page", () => {
  const kettle = { name: "Kettle", price: 49 }
  expect(of({ product: object({ name: text, price: number }) })).toEqual({ product: kettle })
  expect(of({ product_details: object({ name: text, price: number }) })).toEqual({ product_details: kettle })
  expect(of({ data: object({ name: text, price: number }) })).toEqual({ data: kettle })
  expect(of({ result: object({ product: object({ name: text, price: number }) }) })).toEqual({
    result: { product: kettle }
  })
  expect(of({ url: text, product: object({ name: text, price: number }) })).toEqual({
    url: "http://shop.test/kettle",
    product: kettle
  })
})

it("what is a part of something else, or another thing, does not", () => {
  for (const name of ["author", "brand", "seller", "warranty", "related_product", "publisher"]) {
    expect(of({ [name]: object({ name: text }) })).toEqual({ [name]: { name: null } })
  }
  expect(of({ product: object({ name: text, brand: object({ name: text }) }) })).toEqual({
    product: { name: "Kettle", brand: { name: null } }
  })
})

it("of two things, or beside a name of the page, nobody knows which one the page is about", () => {
  expect(of({ product: object({ name: text }), event: object({ name: text }) })).toEqual({
    product: { name: null },
    event: { name: null }
  })
  expect(of({ title: text, product: object({ name: text }) })).toEqual({ title: "Kettle", product: { name: null } })
})
