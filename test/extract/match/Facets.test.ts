import { describe, expect, it } from "vitest"
import type { Value } from "#extract/Candidates"
import { facetsOf } from "#extract/match/Facets"

const value = (data: string, href?: string): Value => ({
  _tag: "Value",
  data,
  source: { kind: "block", path: "p", span: [0, 1] },
  ...(href === undefined ? {} : { href })
})
const facets = (name: string, data: string, href?: string) =>
  facetsOf(name, value(data, href)).map((facet): readonly [string, unknown] => [facet.name, facet.data])

describe("a value says beside itself", () => {
  it("its currency as written, because the page decides what a sign means, and the ends of a range", () => {
    expect(facets("price", "£34.50")).toEqual([["price currency", "£"]])
    expect(facets("salary", "£30,000 - £35,000")).toEqual([
      ["salary currency", "£"],
      ["min salary", 30_000],
      ["max salary", 35_000]
    ])
  })

  it("that it is a price or a salary, where it has no name", () => {
    expect(facets("text", "£42,000 a year")).toContainEqual(["salary", "£42,000 a year"])
    expect(facets("text", "£5")).toContainEqual(["price", "£5"])
  })

  it("a sum with its label, and the ends of a range by names that are known", () => {
    const labelled = (name: string, data: string) =>
      facetsOf(name, { _tag: "Value", data, source: { kind: "label", path: "p", span: [0, 1] } }).map((one) => one.name)
    expect(labelled("Kaution", "500 €")).toEqual(["Kaution price currency", "Kaution price"])
    expect(labelled("Salario", "24.000 € - 28.500 €")).toEqual(["salary currency", "min salary", "max salary"])
  })

  it("what is counted, and what it is rated", () => {
    expect(facets("Rating", "4.2 of 5 (37 reviews)")).toEqual([
      ["reviews count", 37],
      ["reviews", 37],
      ["Rating", 4.2],
      ["best rating", 5]
    ])
  })

  it("the number that a heading begins with, and what stands behind it", () => {
    expect(facets("heading", "§ 3-204 Keeping of bees")).toEqual([
      ["section number", "3-204"],
      ["title", "Keeping of bees"]
    ])
    expect(facets("heading", "6.08.010 Definitions")).toContainEqual(["section chapter number", "6.08.010"])
    expect(facets("heading", "2 rivers")).not.toContainEqual(["section number", "2"])
  })

  it("a day, under the words before it", () => {
    expect(facets("effective", "In force since 2004-03-05")).toEqual([["In force since", "2004-03-05"]])
    expect(facets("text", "3 May 2026")).toEqual([["date", "3 May 2026"]])
  })

  it("where its link leads to, and whom a byline names", () => {
    expect(facets("link", "Lamp", "http://x.test/l")).toEqual([
      ["url", "http://x.test/l"],
      ["link url", "http://x.test/l"],
      ["title", "Lamp"]
    ])
    expect(facets("contact", "Write", "mailto:a@b.test?subject=x")).toEqual([["email", "a@b.test"]])
    expect(facets("author", "By Ada Lovelace, 2026-03-09")).toContainEqual(["author", "Ada Lovelace"])
  })

  it("nothing more where it says nothing more", () => {
    expect(facets("colour", "red")).toEqual([])
  })
})

describe("a text in a row", () => {
  it("has a day at either end, and none in the midst of words", () => {
    expect(facets("text", "Quay 3 reopens - September 1, 2025")).toContainEqual(["date", "September 1, 2025"])
    expect(facets("text", "made since March 1966 by hand").map(([name]) => name)).not.toContain("date")
  })

  it("may be a telephone number by itself, or a question", () => {
    expect(facets("text", "01632 960 012")).toContainEqual(["phone", "01632 960 012"])
    expect(facets("text", "1234567").map(([name]) => name)).not.toContain("phone")
    expect(facets("heading", "Are dogs allowed?")).toContainEqual(["question", "Are dogs allowed?"])
  })

  it("no currency of the number of an article, and all the names of a byline", () => {
    expect(facets("品番", "NT-0500")).toEqual([])
    expect(facets("byline", "By Ada Stone, Editor, and Bo Wood")).toEqual([
      ["author", "Ada Stone"],
      ["author", "Bo Wood"]
    ])
  })
})
