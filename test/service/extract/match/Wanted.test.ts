import { describe, expect, it } from "vitest"
import * as Wanted from "../../../../src/service/extract/match/Wanted.ts"

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
