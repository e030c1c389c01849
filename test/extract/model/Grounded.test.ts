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
    Support.of(data, text, [], nothing).sources,
    nothing
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

describe("what becomes of a fact that no page says", () => {
  const properties = { name: text, price: { type: "number" }, makers: { type: "array", items: text } }
  const given = { name: "Gold", price: 7, makers: ["Nobody"] }
  const { sources } = Support.of(given, "Pike", [], nothing)

  it("is that it stays where it is to be kept: listed, and its source says that no page has it", () => {
    const schema = { type: "object", properties }
    const kept = grounded(given, { schema, prompt: undefined, keepsUnsupported: true }, sources, nothing)

    expect(kept).toMatchObject({ data: given, missing: [], inferred: [] })
    expect(kept.unsupported).toEqual([
      { path: "/name", value: "Gold", kept: true },
      { path: "/price", value: 7, kept: true },
      { path: "/makers/0", value: "Nobody", kept: true }
    ])
    expect(kept.sources.get("/price")).toMatchObject({ kind: "model", supported: false })
  })

  it("is that what rules have found takes its place, also a whole list, and not in the row of a list", () => {
    const label = { kind: "label", path: "dl", span: [1, 2] } as const
    const rules: Extracted = {
      data: { name: "Pike", price: null, makers: ["Rook"], rows: [{ name: "Pike" }] },
      sources: new Map([
        ["/name", label],
        ["/makers/0", label]
      ]),
      missing: ["/price"]
    }
    const rows = { type: "array", items: { type: "object", properties: { name: text, is_new: { type: "boolean" } } } }
    const schema = { type: "object", properties: { ...properties, rows } }
    const more = { ...given, rows: [{ name: "Gold", is_new: true }] }
    const support = Support.of(more, "Pike", [], nothing).sources
    const result = grounded(more, { schema, prompt: undefined }, support, rules)

    expect(result.data).toEqual({ name: "Pike", price: null, makers: ["Rook"], rows: [{ name: "Pike" }] })
    expect([...result.sources.keys()]).toEqual(["/name", "/makers/0"])
    expect(result.missing).toEqual(["/price"])
    expect(result.unsupported.map(({ path }) => path)).toEqual(["/name", "/price", "/makers/0", "/rows/0/name"])
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
