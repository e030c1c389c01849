import { describe, expect, it } from "vitest"
import type { JsonSchema } from "#contract/JsonSchema"
import { byRules } from "#extract/byRules"
import { merge } from "#extract/merge"

const text = { type: "string" }
const number = { type: "number" }
const read = (html: string, schema: JsonSchema, showsConsidered = true) =>
  byRules(
    { url: "http://x.test/p", html: `<html lang="en"><main>${html}</main></html>`, metadata: {} },
    { schema, prompt: undefined, showsConsidered }
  )
const rows = (one: Readonly<Record<string, string>>) =>
  `<table>${Object.entries(one)
    .map(([name, value]) => `<tr><th>${name}:</th><td>${value}</td></tr>`)
    .join("")}</table>`

describe("what was considered for a field", () => {
  const directive = (name: string) => `<h2>${name}</h2>${rows({ Description: `Maps ${name}`, Status: "Base" })}`
  const page = `<h2>mod_alias</h2>${rows({ Description: "Maps URLs", Status: "Base", Weight: "some" })}${directive("Alias")}${directive("Redirect")}`

  it("says why each was left, where the field is null", () => {
    const schema = { properties: { description: text, weight: number, licence: text } }
    const { considered = [], missing } = read(page, schema)
    const whys = considered.map(({ field, value, why }) => [field, value, why])
    const listed = "it is one of several in a list, and nothing says which is meant"

    expect(missing).toEqual(["/description", "/weight", "/licence"])
    expect(whys).toContainEqual(["/description", "Maps URLs", listed])
    expect(whys).toContainEqual(["/description", "Maps Alias", listed])
    expect(whys.filter(([field]) => field === "/weight")).toHaveLength(1)
    expect(whys.filter(([field]) => field === "/licence")).toEqual([])
    expect(whys.filter(([field]) => field === "/description").length).toBeLessThanOrEqual(3)
  })

  it("says what lost to the value that was taken", () => {
    const html = `<h1>Ash lamp</h1><p class="price">£140.00</p><p>It costs £155.00 there.</p>`
    const { considered = [], data } = read(html, { properties: { price: number } })

    expect(data).toEqual({ price: 140 })
    expect(considered.map(({ field, why }) => [field, why.split(":")[0]])).toContainEqual([
      "/price",
      "another value is likelier"
    ])
  })

  it("is not made where nobody asks for it", () => {
    expect(read(page, { properties: { description: text } }, false).considered).toBeUndefined()
  })
})

describe("a row of a list that has the name of what it lacks", () => {
  const card = (name: string, weight: string) => `<li><h3>${name}</h3>${rows({ Weight: weight, Colour: "red" })}</li>`
  const html = `<ul>${card("Ash lamp", "5")}${card("Oak lamp", "heavy")}${card("Elm lamp", "7")}</ul>`
  const item = { type: "object", properties: { name: text, weight: number, licence: text } }

  it("is not understood there, and what it has no name for is not said", () => {
    const { data, unclear = [] } = read(html, { type: "array", items: item })
    const weights = Array.isArray(data) ? data.map((row) => (typeof row === "object" ? JSON.stringify(row) : "")) : []

    expect(weights).toHaveLength(3)
    expect(unclear).toEqual(["/1/weight"])
    const merged = merge([{ url: "http://x.test/p", extracted: read(html, { type: "array", items: item }) }], {
      type: "array",
      items: item
    })
    expect(merged.unclear).toEqual(["/1/weight"])
  })
})

it("a list that is null is not understood where the page has a table, and not said where it has none", () => {
  const list = { type: "array", items: { type: "object", properties: { directive: text, standard: text } } }
  const cells = ["Accept", "Alias", "Allow", "Deny"].map(
    (name) => `<tr><td>${name} x</td><td>all of it</td><td>s</td><td>B</td></tr>`
  )

  expect(read(`<h1>Reference</h1><table>${cells.join("")}</table>`, list)).toMatchObject({ data: null, unclear: [""] })
  const { data, unclear } = read("<h1>Reference</h1><p>There is nothing here.</p>", list)
  expect([data, unclear]).toEqual([null, undefined])
})
