import { describe, expect, it } from "vitest"
import { requiredValues } from "#connectors/webdata/jobs/requiredValues"
import * as JsonSchemaTable from "#engine/JsonSchemaTable"

const { shape } = JsonSchemaTable.make({
  name: "products",
  schema: {
    type: "object",
    required: ["name", "price", "note", "offers"],
    properties: {
      name: { type: "string" },
      price: { type: "number" },
      note: { type: ["string", "null"] },
      colour: { type: "string" },
      offers: {
        type: "array",
        items: { type: "object", required: ["seller"], properties: { seller: { type: "string" } } }
      }
    }
  }
})

describe("required values", () => {
  it("are filled or missing at every depth; the row's own missing ones are named", () => {
    expect(requiredValues(shape, { name: "a", price: null, offers: [{ seller: "b" }, { seller: null }] })).toEqual({
      filled: 3,
      missing: 2,
      properties: ["price"]
    })
  })

  it("are not those that may be null, nor those that nobody requires", () => {
    expect(requiredValues(shape, { name: "a", price: 0, note: null, colour: null, offers: [] })).toEqual({
      filled: 3,
      missing: 0,
      properties: []
    })
  })

  it("are none of what is no object", () => {
    expect(requiredValues(shape, "text")).toEqual({ filled: 0, missing: 0, properties: [] })
  })
})
