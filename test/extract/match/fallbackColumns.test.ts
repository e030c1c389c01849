import { describe, expect, it } from "vitest"
import type { Json } from "#contract/JsonSchema"
import { match } from "#extract/match/Matcher"
import { group, type Named, offered } from "../offered.ts"

const text = { type: "string" } as const
const read = (
  name: string,
  properties: { readonly [name: string]: Json },
  rows: ReadonlyArray<Named>,
  kind?: "block"
) =>
  match(
    offered({}, [], [group(rows, undefined, kind)]),
    { type: "object", properties: { [name]: { type: "array", items: { type: "object", properties } } } },
    { url: "http://site.test/" }
  ).data

describe("a property that no column names", () => {
  it("is what a row is called where it is the list's own name", () => {
    const rows = [
      { heading: "Free", price: "$0" },
      { heading: "Team", price: "$29" }
    ]

    expect(read("plans", { plan: text, price: { type: "number" } }, rows, "block")).toEqual({
      plans: [
        { plan: "Free", price: 0 },
        { plan: "Team", price: 29 }
      ]
    })
  })

  it("is the first cell of a table whose rows it names", () => {
    const rows = [
      { Parameter: "title", Описание: "Название сайта" },
      { Parameter: "author", Описание: "Ваше имя" }
    ]

    expect(read("settings", { setting: text, description: text }, rows)).toEqual({
      settings: [
        { setting: "title", description: "Название сайта" },
        { setting: "author", description: "Ваше имя" }
      ]
    })
  })

  it("is the only day of the rows, and no other text", () => {
    const rows = [
      { Ordinance: "Ord. 1", Date: "1991-03-10", Change: "penalty" },
      { Ordinance: "Ord. 2", Date: "2012-10-17", Change: "times" }
    ]
    const found = read("changes", { on: { ...text, format: "date" }, change: text, x9: text }, rows)

    expect(found).toEqual({
      changes: [
        { on: "1991-03-10", change: "penalty", x9: null },
        { on: "2012-10-17", change: "times", x9: null }
      ]
    })
  })

  it("is the text of a row for a description or an answer", () => {
    const rows = [
      { heading: "Can I bring a bicycle?", text: "Yes, free of charge." },
      { heading: "Are dogs allowed?", text: "On a lead." }
    ]

    expect(read("faqs", { question: text, answer: text }, rows, "block")).toEqual({
      faqs: [
        { question: "Can I bring a bicycle?", answer: "Yes, free of charge." },
        { question: "Are dogs allowed?", answer: "On a lead." }
      ]
    })
  })

  it("is no word or two of a row where a description is wanted", () => {
    const rows = [
      { heading: "Ash lamp", price: "£140.00", text: "sold out" },
      { heading: "Oak lamp", price: "£90.00", text: "in stock" }
    ]

    expect(read("lamps", { name: text, price: text, summary: text }, rows, "block")).toMatchObject({
      lamps: [{ summary: null }, { summary: null }]
    })
  })
})
