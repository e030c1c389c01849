import { describe, expect, it } from "vitest"
import type { Json } from "#contract/JsonSchema"
import { byRules } from "#extract/byRules"

const data = (html: string, properties: { readonly [name: string]: Json }) =>
  byRules(
    { url: "http://bills.test/", html, metadata: {} },
    { schema: { type: "object", properties }, prompt: undefined }
  ).data

const text = { type: "string" }
const number = { type: "number" }
const payments = (item: { readonly [name: string]: Json }) => ({
  payments: { type: "array", items: { type: "object", properties: item } }
})
const table = (...rows: ReadonlyArray<string>) =>
  `<table>${rows
    .map(
      (row, at) =>
        `<tr>${row
          .split("|")
          .map((cell) => (at === 0 ? `<th>${cell}</th>` : `<td>${cell}</td>`))
          .join("")}</tr>`
    )
    .join("")}</table>`

describe("the name of a payee", () => {
  it("stands in the column that is called by what it is the name of", () => {
    const html = table("Document Number|Payee|Amount", "50012345|Alder Ltd|900.00", "50012346|Birch Trust|75.50")

    expect(data(html, payments({ payee_name: text, amount: number }))).toEqual({
      payments: [
        { payee_name: "Alder Ltd", amount: 900 },
        { payee_name: "Birch Trust", amount: 75.5 }
      ]
    })
  })

  it("is no number of a document, also where nothing else is there", () => {
    const html = table("Name|Amount", "INV-2024-001|900.00", "INV-2024-002|75.50")

    expect(data(html, payments({ payee_name: text, amount: number }))).toEqual({
      payments: [
        { payee_name: null, amount: 900 },
        { payee_name: null, amount: 75.5 }
      ]
    })
  })

  it("may have a digit", () => {
    const html = table("Payee|Amount", "3M|900.00", "Studio 54|75.50", "Forever 2000 Ltd|3.00")

    expect(data(html, payments({ payee_name: text }))).toEqual({
      payments: [{ payee_name: "3M" }, { payee_name: "Studio 54" }, { payee_name: "Forever 2000 Ltd" }]
    })
  })
})

describe("the customer of a bill", () => {
  it("is who is billed, and never who has written it", () => {
    const html = "<h1>Larch &amp; Sons Ltd</h1><p>4 Mill Lane</p><h2>Invoice</h2>"

    expect(data(`${html}<p>Bill to: Northgate Library</p>`, { customer_name: text, customer: text })).toEqual({
      customer_name: "Northgate Library",
      customer: "Northgate Library"
    })
    expect(data(html, { customer_name: text, customer: text })).toEqual({ customer_name: null, customer: null })
  })
})

describe("the total of a receipt", () => {
  it.each([
    "<p>TOTAL 821.14<br>Total Points: 3,247</p>",
    "<p>Total Points: 3,247<br>TOTAL 821.14</p>",
    "<p>Total Points: 3,247</p><table><tr><td>TAX<td>65.50<tr><td>TOTAL<td>821.14</table>",
    "<p>Total Points: 3,247<br>TOTAL: $821.14<br>Total Savings: $12.00</p>"
  ])("is what is called so and nothing else: %s", (lines) => {
    expect(data(`<h1>Harbour Stores</h1>${lines}`, { total: number })).toEqual({ total: 821.14 })
  })
})
