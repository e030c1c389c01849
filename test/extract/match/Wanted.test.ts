import { describe, expect, it } from "vitest"
import * as Names from "#extract/match/Names"
import * as Wanted from "#extract/match/Wanted"

const shape = (wanted: Wanted.Wanted): unknown => {
  if (wanted._tag === "Whole") return Object.fromEntries(wanted.parts.map((part) => [part.key, shape(part)]))
  if (wanted._tag === "Rows") return [shape(wanted.item)]
  return wanted._tag === "Many" ? ["One"] : "One"
}

describe("Wanted", () => {
  it("tells values, lists of values, objects and lists of objects apart", () => {
    const schema = {
      type: "object",
      properties: {
        a: { type: ["string", "null"] },
        b: { type: "array", items: { type: "string" } },
        c: { properties: { d: {} } },
        e: { anyOf: [{ type: "null" }, { type: "array", items: { $ref: "#/$defs/row" } }] },
        f: { allOf: [{ properties: { g: {} } }, { properties: { h: {} } }] }
      },
      $defs: { row: { type: "object", properties: { i: {} } } }
    }

    expect(shape(Wanted.of(schema))).toEqual({
      a: "One",
      b: ["One"],
      c: { d: "One" },
      e: [{ i: "One" }],
      f: { g: "One", h: "One" }
    })
  })

  it("ends where a schema refers to itself", () => {
    expect(JSON.stringify(shape(Wanted.of({ type: "object", properties: { a: { $ref: "#" } } }))).length).toBeLessThan(
      200
    )
  })

  it("knows the unit and the currency that a name ends in", () => {
    const of = (key: string) => {
      const wanted = Wanted.of({ properties: { [key]: { type: "number" } } })
      const part = wanted._tag === "Whole" ? wanted.parts[0] : undefined
      return part?._tag === "One" ? part.expected : undefined
    }

    expect(of("weight_kg")).toMatchObject({ unit: "kg", kind: "number" })
    expect(of("price_usd")).toMatchObject({ currency: "USD", kind: "money" })
    expect(of("made_in")?.unit).toBeUndefined()
  })
})

describe("a property", () => {
  const part = (name: string, schema: object) => {
    const wanted = Wanted.of({ type: "object", properties: { [name]: { ...schema } } })
    const first = wanted._tag === "Whole" ? wanted.parts[0] : undefined
    if (first?._tag !== "One") throw new Error("one value is wanted")
    return first
  }

  it("that is an address is asked for by what it leads to", () => {
    expect(part("next_page", { type: "string", format: "uri" }).name).toEqual(Names.parse("next page url"))
    expect(part("link", { type: "string", format: "uri" }).name).toEqual(Names.parse("link"))
  })

  it("that counts things may be a count of them", () => {
    expect(part("reviews", { type: "integer" }).title).toEqual(Names.parse("reviews count"))
    expect(part("reviews", { type: "string" }).title).toEqual([])
  })

  it("keeps the unit of what is called by it", () => {
    expect(part("weekly_hours", { type: "number" }).name).toEqual(Names.parse("weekly hours"))
    expect(part("opening_hours", { type: "string" }).expected.unit).toBeUndefined()
    expect(part("weight_kg", { type: "number" })).toMatchObject({
      name: Names.parse("weight"),
      expected: { unit: "kg" }
    })
  })

  it("may say what is not so", () => {
    expect(part("sold_out", { type: "boolean" }).expected.isDenied).toBe(true)
    expect(part("in_stock", { type: "boolean" }).expected).not.toHaveProperty("isDenied")
  })
})

describe("the unit that a schema states", () => {
  const stated = (description: string | undefined, name: string) => {
    const wanted = Wanted.of({
      properties: { [name]: { type: "number", ...(description === undefined ? {} : { description }) } }
    })
    const part = wanted._tag === "Whole" ? wanted.parts[0] : undefined
    if (part?._tag !== "One") throw new Error("one value is wanted")
    return { unit: part.expected.unit, currency: part.expected.currency }
  }

  it.each([
    ["total time in minutes", "minutes"],
    ["Weight (kg)", "kg"],
    ["Weight in whole grams, without the box", "grams"],
    ["number of hours", "hours"],
    ["km", "km"],
    ["distance, miles", "miles"],
    ["Kochzeit in Minuten", "minuten"],
    ["poids en grammes", "grammes"]
  ])("of %j is %s", (sentence, unit) => {
    expect(stated(sentence, "said")).toEqual({ unit })
  })

  it.each([
    ["price in USD", "USD"],
    ["price in pounds", "GBP"],
    ["price (€)", "EUR"],
    ["EUR", "EUR"]
  ])("of %j, where a sum is asked for, is %s", (sentence, currency) => {
    expect(stated(sentence, "price")).toEqual({ currency })
  })

  it("of a weight in pounds is no currency", () => {
    expect(stated("weight in pounds", "said")).toEqual({ unit: "pounds" })
  })

  it.each(["the year in which it was built", "Year", "items in stock", "ALL", "in the last hours", undefined])(
    "is not stated by %j",
    (sentence) => {
      expect(stated(sentence, "said")).toEqual({})
    }
  )
})
