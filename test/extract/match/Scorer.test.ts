import { describe, expect, it } from "vitest"
import { byRules } from "#extract/byRules"
import { match } from "#extract/match/Matcher"
import { group, offered } from "../offered.ts"

const text = { type: "string" } as const
const sections = (heading: string) =>
  match(
    offered({}, [], [group([{ heading }, { heading: heading.replace("1", "2") }], "Law", "block")]),
    {
      type: "object",
      properties: { sections: { type: "array", items: { type: "object", properties: { number: text, title: text } } } }
    },
    { url: "http://site.test/" }
  ).data

describe("the number of a section", () => {
  it("is that of its heading, also where it says no more than the number", () => {
    expect(sections("§ 1-201 Bees")).toMatchObject({ sections: [{ number: "1-201", title: "Bees" }, {}] })
    expect(sections("6.01.010 Bees")).toMatchObject({ sections: [{ number: "6.01.010", title: "Bees" }, {}] })
  })

  it("is none of a chapter", () => {
    expect(sections("Chapter 1: Water")).toEqual({ sections: null })
  })
})

describe("a name that says of what", () => {
  const read = (language: string, properties: object, html: string) =>
    byRules(
      { url: "http://site.test/x", html, metadata: { language } },
      { schema: { type: "object", properties: { ...properties } }, prompt: undefined }
    ).data
  const number = { type: "number" } as const
  const date = { type: "string", format: "date" } as const

  it("takes no sum and no day of the text, which have no name", () => {
    const html = "<p>Flat in Oslo, 4 290 000 kr, listed on 3 May 2026</p>"

    expect(read("nb", { shared_costs: number, deed_date: date }, html)).toEqual({ shared_costs: null, deed_date: null })
    expect(read("nb", { price: number, date }, html)).toEqual({
      price: 4_290_000,
      date: "2026-05-03"
    })
  })

  it("takes no price of a class for a fee of its own", () => {
    const html = '<p class="price">950 €</p>'

    expect(read("it", { management_fee: number }, html)).toEqual({ management_fee: null })
    expect(read("it", { ticket_price: number }, html)).toEqual({ ticket_price: 950 })
  })

  it("takes the label that its description is, in any language", () => {
    const html = "<dl><dt>تاريخ النشر</dt><dd>12/09/2025</dd><dt>تاريخ الصك</dt><dd>10/03/2025</dd></dl>"

    expect(read("ar", { deed_date: { ...date, description: "تاريخ الصك" } }, html)).toEqual({ deed_date: "2025-03-10" })
  })
})

describe("the value of an object", () => {
  it("is what the object is called, declared or shown", () => {
    const measured = { type: "object", properties: { value: { type: "number" }, count: { type: "integer" } } }
    const html = `<script type="application/ld+json">{"@type": "Movie", "name": "Dune",
        "aggregateRating": {"@type": "AggregateRating", "ratingValue": "8.7", "ratingCount": "1234"}}</script>
      <table><tr><th>Weight<td>1.2 kg<tr><th>Price<td>$30.00<tr><th>Colour<td>red</table>`
    const schema = { type: "object", properties: { rating: measured, weight: measured, depth: measured } }

    expect(
      byRules({ url: "http://site.test/x", html, metadata: { language: "en" } }, { schema, prompt: undefined }).data
    ).toEqual({
      rating: { value: 8.7, count: 1234 },
      weight: { value: 1.2, count: null },
      depth: { value: null, count: null }
    })
  })
})
