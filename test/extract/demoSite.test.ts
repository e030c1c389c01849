/** The law of the engine, on pages whose truth is known, by schemas that were written without a look at their markup. */
import { describe, expect, it } from "vitest"
import type { Json, JsonSchema } from "#contract/JsonSchema"
import { byRules } from "#extract/byRules"
import * as Site from "#site/Site"

const origin = "http://northmere.test"
const site = Site.make({ seed: 5, revision: 2 })
const { jobs, products, sections } = site.truth.things

const text = { type: "string" } as const
const number = { type: "number" } as const
const date = { type: "string", format: "date" } as const
const link = { type: "string", format: "uri" } as const
const object = (properties: { readonly [name: string]: Json }): JsonSchema => ({ type: "object", properties })

const htmlOf = (path: string): string =>
  new TextDecoder().decode(site.respond({ method: "GET", path, headers: {}, origin }).body)
const shown = (html: string) => html.replaceAll(/<script type="application\/ld\+json">[\s\S]*?<\/script>/g, "")

const read = (path: string, schema: JsonSchema, prepare: (html: string) => string): Json =>
  byRules({ url: origin + path, html: prepare(htmlOf(path)), metadata: {} }, { schema, prompt: undefined }).data

const whole = (html: string) => html

describe.each([
  ["as they are", whole],
  ["by what they show", shown]
])("the demo site's pages %s", (_, prepare) => {
  it("the shop's products are read right by a schema written from the outside", () => {
    const schema = object({
      item_title: text,
      article_no: text,
      cost: number,
      cost_currency: text,
      in_stock: { type: "boolean" },
      customer_score: number,
      number_of_opinions: { type: "integer" },
      offers: { type: "array", items: object({ amount: number, currency: text }) },
      sale_price: number,
      isbn: text
    })
    for (const one of products.slice(0, 40)) {
      expect(read(one.path, schema, prepare)).toEqual({
        item_title: one.name,
        article_no: one.sku,
        cost: Number(one.price),
        cost_currency: "GBP",
        in_stock: one.availability === "InStock",
        customer_score: Number(one.rating),
        number_of_opinions: one.reviews,
        offers: [{ amount: Number(one.price), currency: "GBP" }],
        sale_price: null,
        isbn: null
      })
    }
  })

  it("its jobs are read right", () => {
    const schema = object({
      position: text,
      organisation: text,
      town: text,
      yearly_pay: number,
      pay_currency: text,
      advertised_on: date,
      apply_before: date,
      responsibilities: { type: "array", items: text },
      salary_max: number
    })
    for (const one of jobs.filter(({ open }) => open)) {
      expect(read(one.path, schema, prepare)).toEqual({
        position: one.title,
        organisation: one.employer,
        town: one.place,
        yearly_pay: one.salary,
        pay_currency: "GBP",
        advertised_on: one.posted,
        apply_before: one.closes,
        responsibilities: [...one.duties],
        salary_max: null
      })
    }
  })

  it("its jobs board is a list", () => {
    const schema = { type: "array", items: object({ position: text, yearly_pay: number, detail_url: link }) }
    const open = jobs.filter((one) => one.open)

    expect(read("/jobs/", schema, prepare)).toEqual(
      open.map((one) => ({ position: one.title, yearly_pay: one.salary, detail_url: origin + one.path }))
    )
  })

  it("its sections of law are read right", () => {
    const amended = { type: "array", items: object({ act: text, date, change: text }) }
    const schema = object({
      section_no: text,
      heading: text,
      in_force_since: date,
      amended_by: amended,
      repealed_on: date
    })
    for (const one of sections) {
      const rows = one.amendments.map(({ day, ordinance, what }) => ({ act: ordinance, date: day, change: what }))
      expect(read(one.path, schema, prepare)).toEqual({
        section_no: one.number,
        heading: one.title,
        in_force_since: one.effective,
        amended_by: rows.length === 0 ? null : rows,
        repealed_on: null
      })
    }
  })

  it("one product is asked of a shelf of many in vain", () => {
    expect(read("/shop/c/lamps", object({ sku: text, cost: number }), prepare)).toEqual({ sku: null, cost: null })
  })
})
