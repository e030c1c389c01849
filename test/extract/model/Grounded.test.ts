import { describe, expect, it } from "vitest"
import type { Json, JsonSchema } from "#contract/JsonSchema"
import type { Extracted } from "#extract/Candidates"
import { grounded } from "#extract/Grounded"
import * as Support from "#extract/Support"

const nothing: Extracted = { data: null, sources: new Map(), missing: [] }

/** What is left of the data of a model by a page that says this. */
const left = (data: Json, text: string, properties: JsonSchema | undefined, prompt = "the firm") =>
  grounded(
    data,
    { schema: properties === undefined ? undefined : { type: "object", properties }, prompt },
    Support.of(data, text, [], nothing).sources
  )

const text = { type: "string" }

describe("a fact that no page says", () => {
  it("is null and listed with what the model gave", () => {
    const properties = { founded_year: { type: "integer" }, name: text, site: { type: "string", format: "uri" } }
    const given = { founded_year: 2003, name: "Pike", site: "https://pike.test/" }

    expect(left(given, "Pike was founded in 1987", properties)).toMatchObject({
      data: { founded_year: null, name: "Pike", site: null },
      missing: ["/founded_year", "/site"],
      unsupported: [
        { path: "/founded_year", value: 2003 },
        { path: "/site", value: "https://pike.test/" }
      ],
      inferred: []
    })
  })

  it("is no item of a list, and a row with nothing else is no row", () => {
    const given = {
      founders: ["Elon Musk", "Ada Rook"],
      lamps: [
        { name: "Gold lamp", price: 7 },
        { name: "Ash lamp", price: 8 },
        { name: "Oak", price: null }
      ],
      makers: ["Nobody"]
    }
    const { data, missing, sources, unsupported } = left(given, "Ada Rook sells the Ash lamp and the Oak", {
      founders: { type: "array", items: text },
      lamps: { type: "array", items: { type: "object", properties: { name: text, price: { type: "number" } } } },
      makers: { type: "array", items: text }
    })

    expect(data).toEqual({
      founders: ["Ada Rook"],
      lamps: [
        { name: "Ash lamp", price: null },
        { name: "Oak", price: null }
      ],
      makers: null
    })
    expect(missing).toEqual(["/lamps/0/price", "/lamps/1/price", "/makers"])
    expect([...sources.keys()]).toEqual(["/founders/0", "/lamps/0/name", "/lamps/1/name"])
    expect(unsupported.map(({ path }) => path)).toEqual([
      "/founders/0",
      "/lamps/0/name",
      "/lamps/0/price",
      "/lamps/1/price",
      "/makers/0"
    ])
  })
})

describe("a judgement of a model", () => {
  it("stays and says that it is one", () => {
    const properties = {
      is_open: { type: "boolean" },
      kind: { anyOf: [{ type: "string", enum: ["shop", "school"] }, { type: "null" }] },
      summary: text,
      note: { type: "string", description: "One-sentence summary of the page" },
      topics: { type: "array", items: text }
    }
    const given = { is_open: true, kind: "shop", summary: "A firm.", note: "It sells.", topics: ["craft"] }
    const { data, inferred, sources, unsupported } = left(given, "Pike", properties)

    expect(data).toEqual(given)
    expect(unsupported).toEqual([])
    expect(inferred).toEqual(["/is_open", "/kind", "/summary", "/note", "/topics/0"])
    expect(sources.get("/kind")).toMatchObject({ kind: "model", supported: false, inferred: true })
  })

  it("is no name, number or address, whatever its description mentions further on", () => {
    const properties = {
      name: { type: "string", description: "The name of the firm that the page describes" },
      score: { type: "number", description: "a summary as a number" },
      summary: { type: "string", format: "uri" }
    }

    expect(left({ name: "Gold", score: 7, summary: "https://x.test/" }, "Pike", properties).data).toEqual({
      name: null,
      score: null,
      summary: null
    })
  })

  it("is what the prompt asks for where there is no schema, if it is prose", () => {
    const prose = "The firm makes lamps in a barn and has done so for many years."

    expect(left({ answer: prose, founder: "Elon Musk" }, "Pike", undefined, "Summarize the page").data).toEqual({
      answer: prose,
      founder: null
    })
    expect(left({ answer: prose }, "Pike", undefined, "Who founded it?").data).toEqual({ answer: null })
  })
})
