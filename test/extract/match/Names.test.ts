import { describe, expect, it } from "vitest"
import { withoutMarks } from "#extract/match/Concepts"
import * as Names from "#extract/match/Names"

const like = (wanted: string, own: string, context = "", around = "") =>
  Names.likeness(Names.parse(wanted), Names.parse(own), Names.parse(context), Names.parse(around))

describe("likeness", () => {
  it.each([
    ["datePublished", "Date published"],
    ["item_title", "name"],
    ["article_no", "sku"],
    ["cost_currency", "priceCurrency"],
    ["customer_score", "ratingValue"],
    ["number_of_opinions", "reviewCount"],
    ["in_stock", "availability"],
    ["organisation", "hiringOrganization"],
    ["apply_before", "Closing date"],
    ["advertised_on", "datePosted"],
    ["Preis", "price"],
    ["précio", "precio"],
    ["emails", "E-mail"],
    ["deputy_director", "Deputy director"],
    ["library_director", "Director"]
  ])("%s is what %s says", (wanted, own) => {
    expect(like(wanted, own)).toBeGreaterThan(0.7)
  })

  it.each([
    ["price", "priceCurrency"],
    ["sale_price", "price"],
    ["old_price", "price"],
    ["salary_min", "salary"],
    ["deadline", "date"],
    ["author_name", "publisher name"],
    ["section_number", "title number"],
    ["apply_url", "skip url"],
    ["author_name", "name"],
    ["stock", "weight"],
    ["deed_date", "published"],
    ["deputy_director", "Director"],
    ["director", "Deputy director"],
    ["former_mayor", "Mayor"],
    ["stellvertretende_leiterin", "Leiterin"],
    ["emergency_phone", "Phone"],
    ["maiden_name", "Name"],
    ["", "name"]
  ])("%s is not what %s says", (wanted, own) => {
    expect(like(wanted, own)).toBeLessThan(0.5)
  })

  it("counts what a value is a part of, and what is asked for it", () => {
    expect(like("author_url", "url", "author")).toBeGreaterThan(0.7)
    expect(like("price", "offer price", "", "offer")).toBeGreaterThan(like("price", "offer price"))
  })

  it("lets a closing date be a date, and a date be no closing date", () => {
    expect(like("date", "closing date")).toBeGreaterThan(0.5)
    expect(like("closing date", "date")).toBeLessThan(0.5)
  })
})

describe("mentions", () => {
  const mentions = (sentence: string, own: string) => Names.mentions(Names.parseSentence(sentence), Names.parse(own))

  it("finds what a description begins with", () => {
    expect(mentions("price of the item", "price")).toBeGreaterThan(0.7)
    expect(mentions("When the job was posted", "datePosted")).toBeGreaterThan(0.7)
    expect(mentions("price of the item", "sku")).toBe(0)
  })

  it("does not take the name of a company for the name of the page", () => {
    expect(mentions("Name of the company that hires", "title")).toBeLessThanOrEqual(0.5)
    expect(mentions("Name of the company that hires", "employer")).toBeGreaterThan(0.6)
  })
})

describe("a name", () => {
  const concept = (name: string) => Names.conceptOf(Names.parse(name))?.id

  it("may be in the plural of other languages, in other scripts, or be a word of grammar", () => {
    expect(["Zutaten", "Portionen", "prezzi", "Цена", "价格", "給与", "データ"].map(concept)).toEqual([
      "ingredient",
      "yield",
      "price",
      "price",
      "price",
      "salary",
      undefined
    ])
    expect(Names.parse("on")).toMatchObject([{ word: "on", isHead: true }])
  })

  it("means the same with the unit of its values behind it", () => {
    expect(Names.parse("Gewicht (kg)")).toEqual(Names.parse("Gewicht"))
    expect(Names.parse("Preis (€)")).toEqual(Names.parse("Preis"))
    expect(Names.parse("Name (English)")).not.toEqual(Names.parse("Name"))
  })

  it("is not the count of something else that it is a part of", () => {
    const like = (wanted: string, own: string, context: string) =>
      Names.likeness(Names.parse(wanted), Names.parse(own), Names.parse(context))
    expect(like("review_count", "count", "rating")).toBeLessThan(0.5)
    expect(like("rating_count", "count", "rating")).toBeGreaterThan(0.5)
    expect(like("review_count", "count", "reviews")).toBeGreaterThan(0.5)
  })
})

it("letters lose their marks, also those that are a part of them", () => {
  expect(["Ngày đăng", "Głębokość", "Højde", "ağırlık", "Größe", "τιμή"].map(withoutMarks)).toEqual([
    "Ngay dang",
    "Glebokosc",
    "Hojde",
    "agirlik",
    "Grosse",
    "τιμη"
  ])
})

describe("a form of a word", () => {
  it("means what the word means", () => {
    expect(["zutaten", "prezzi", "lamps"].map((word) => Names.conceptOf(Names.parse(word))?.id)).toEqual([
      "ingredient",
      "price",
      undefined
    ])
  })

  it("has a singular", () => {
    expect(
      ["lamps", "categories", "glass", "status", "bus"].map((text) =>
        Names.parse(text)
          .map(({ word }) => word)
          .join(" ")
      )
    ).toEqual(["lamp", "category", "glass", "status", "bus"])
  })
})
