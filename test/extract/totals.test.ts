import { describe, expect, it } from "vitest"
import { byRules } from "#extract/byRules"

const data = (html: string, properties: Readonly<Record<string, object>>) =>
  byRules(
    { url: "http://accounts.test/", html, metadata: {} },
    { schema: { type: "object", properties: JSON.parse(JSON.stringify(properties)) }, prompt: undefined }
  ).data

const table = (...rows: ReadonlyArray<string>) =>
  `<table>${rows
    .map((row, at) => {
      const tag = at === 0 ? "th" : "td"
      const cells = row.split("|").map((cell) => `<${tag}>${cell}</${tag}>`)
      return `<tr>${cells.join("")}</tr>`
    })
    .join("")}</table>`

const rows = (item: Readonly<Record<string, object>>) => ({
  type: "array",
  items: { type: "object", properties: item }
})
const [text, number] = [{ type: "string" }, { type: "number" }]

describe("a number in brackets", () => {
  const html = table("Item|Change", "Sales|1,200", "Returns|(12)", "Fees|$(1,234.50)", "Other|(3%)")

  it("is less than nothing in a column of numbers, and as written where a text is wanted", () => {
    expect(data(html, { items: rows({ item: text, change: number }) })).toEqual({
      items: [
        { item: "Sales", change: 1200 },
        { item: "Returns", change: -12 },
        { item: "Fees", change: -1234.5 },
        { item: "Other", change: -3 }
      ]
    })
    expect(data(html, { items: rows({ item: text, change: text }) })).toMatchObject({
      items: [{}, { change: "(12)" }, {}, {}]
    })
  })

  it("is a count where all numbers of the column have brackets", () => {
    const counted = table("Item|Reviews", "Lamp|(12)", "Jar|(7)")

    expect(data(counted, { items: rows({ item: text, reviews: number }) })).toEqual({
      items: [
        { item: "Lamp", reviews: 12 },
        { item: "Jar", reviews: 7 }
      ]
    })
  })
})

describe("a total", () => {
  it("is no row of data, and what it says is said by the page", () => {
    const html = table("Region|Units|Sales", "North|10|100", "South|20|250", "West|5|50", "Total|35|400")

    expect(data(html, { regions: rows({ region: text, sales: number }), total_sales: number })).toEqual({
      regions: [
        { region: "North", sales: 100 },
        { region: "South", sales: 250 },
        { region: "West", sales: 50 }
      ],
      total_sales: 400
    })
  })

  it("is what stands in the foot of a table", () => {
    const html = `<table><thead><tr><th>Name<th>Rate<tbody><tr><td>Ada<td>3%<tr><td>Bob<td>5%<tfoot><tr><td>Mean<td>4%</table>`

    expect(data(html, { people: rows({ name: text, rate: text }) })).toEqual({
      people: [
        { name: "Ada", rate: "3%" },
        { name: "Bob", rate: "5%" }
      ]
    })
  })

  it("of an invoice stands below its items", () => {
    const html = table(
      "Description|Qty|Price|Amount",
      "Lamp|2|5.00|10.00",
      "Jar|1|4.00|4.00",
      "Subtotal|||14.00",
      "VAT 20%|||2.80",
      "Total|||16.80"
    )

    expect(data(html, { items: rows({ description: text, amount: number }), total: number, subtotal: number })).toEqual(
      {
        items: [
          { description: "Lamp", amount: 10 },
          { description: "Jar", amount: 4 }
        ],
        total: 16.8,
        subtotal: 14
      }
    )
  })
})

describe("the head of a group of rows", () => {
  it("is no row of data, but the section of those below it", () => {
    const html = table("Item|Units|Price", "<b>Kitchen</b>||", "Pot|2|4.00", "<b>Garden</b>||", "Rake|1|9.00")

    expect(data(html, { items: rows({ item: text, section: text, units: number }) })).toEqual({
      items: [
        { item: "Pot", section: "Kitchen", units: 2 },
        { item: "Rake", section: "Garden", units: 1 }
      ]
    })
  })
})
