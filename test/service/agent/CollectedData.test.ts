import { describe, expect, it } from "vitest"
import { byRules } from "#extract/byRules"
import type { FilledPage } from "#extract/FilledPage"
import * as CollectedData from "#service/agent/CollectedData"
import { lampSchema, lampsSchema, product } from "./shop.ts"

describe("data in words", () => {
  it("are answers as they stand, each once", () => {
    const answer = { answer: "Ward: Bridge, Votes: 563", relevance: 1 }
    const answers = [
      { question: "Who?", ...answer },
      { question: "How many?", ...answer },
      { question: "When?", answer: null }
    ]

    expect(CollectedData.linesOf({ answers })).toEqual(["Ward: Bridge, Votes: 563", "The pages do not say: When?"])
  })

  it("are rows by what they are called, then what is said of them, then where they are", () => {
    const lamps = [{ url: "http://x.test/a", price: 140, lamp_name: "Ash lamp", in_stock: true, sku: null }]

    expect(CollectedData.linesOf({ lamps })).toEqual([
      "Lamps (1):",
      "- Ash lamp: price 140, in stock true, http://x.test/a"
    ])
  })

  it("are values by name", () => {
    expect(CollectedData.linesOf({ entrance_fee: 6.5, note: null })).toEqual(["Entrance fee: 6.5"])
  })
})

describe("answers", () => {
  it("are enough where each says all that was asked", () => {
    const row = (relevance: number) => ({ question: "?", answer: "x", relevance })

    expect(CollectedData.isAnswered({ answers: [row(1), row(0.95)] })).toBe(true)
    expect(CollectedData.isAnswered({ answers: [row(1), row(0.7)] })).toBe(false)
    expect(CollectedData.isAnswered({ lamps: [] })).toBe(false)
  })
})

/** What rules find on the page of a product. */
const page = (name: string, price: string, schema = lampsSchema as object): FilledPage => {
  const url = `http://site.test/${name}`
  const wanted = { schema: schema as typeof lampsSchema, prompt: undefined }
  return { url, filled: byRules({ url, html: product(name, price), metadata: {} }, wanted) }
}

describe("the harvest of a run", () => {
  it("begins an artifact, appends rows to it, and says which fields have changed", () => {
    const harvest = CollectedData.start(lampsSchema, [])
    const first = harvest.add(page("Ash lamp", "140.00"))
    const second = harvest.add(page("Oak lamp", "90.00"))

    expect(first).toMatchObject({
      path: "result.json",
      kind: "json",
      change: "init",
      itemCount: 1,
      changedFields: ["lamps"]
    })
    expect(second).toMatchObject({ change: "append", itemCount: 2, changedFields: ["lamps"] })
    expect(JSON.parse(second?.content ?? "")).toEqual({
      lamps: [
        { name: "Ash lamp", price: 140 },
        { name: "Oak lamp", price: 90 }
      ]
    })
    expect(harvest.pages()).toHaveLength(2)
  })

  it("is the same in the end, whichever page was read first", () => {
    const pages = [page("Ash lamp", "140.00", lampSchema), page("Oak lamp", "90.00", lampSchema)].map((one, seq) => ({
      ...one,
      place: { depth: 0, score: 0, seq }
    }))
    const results = [pages, pages.toReversed()].map((ended) => {
      const harvest = CollectedData.start(lampSchema, [])
      for (const one of ended) harvest.add(one)
      return harvest.result()
    })

    expect(results[0]?.data).toEqual({ name: "Ash lamp", price: 140 })
    expect(results[1]).toEqual(results[0])
  })

  it("says nothing of a page that adds nothing", () => {
    const harvest = CollectedData.start(lampsSchema, [])
    harvest.add(page("Ash lamp", "140.00"))
    const again = harvest.add(page("Ash lamp", "140.00"))
    const empty = { url: "http://site.test/empty", html: "<p>Nothing here</p>", metadata: {} }

    expect(again).toBeUndefined()
    expect(
      harvest.add({ url: empty.url, filled: byRules(empty, { schema: lampsSchema, prompt: undefined }) })
    ).toBeUndefined()
  })

  it("updates what is one thing, and says where each value comes from", () => {
    const schema = { ...lampSchema, properties: { ...lampSchema.properties, sku: { type: "string" } } }
    const harvest = CollectedData.start(schema, [])
    const bare = { url: "http://site.test/bare", html: "<h1>Ash lamp</h1>", metadata: {} }
    harvest.add({ url: bare.url, filled: byRules(bare, { schema, prompt: undefined }) })
    const version = harvest.add(page("Ash lamp", "140.00", schema))

    expect(version?.change).toBe("update")
    expect(version?.changedFields).toContain("price")
    expect(harvest.result()).toMatchObject({ data: { price: 140, sku: "ASH" }, missing: [] })
    expect(harvest.result().sources["/price"]?.[0]?.url).toBe("http://site.test/Ash lamp")
  })

  it("goes on with the pages of before a restart: its artifact was begun", () => {
    const harvest = CollectedData.start(lampsSchema, [page("Ash lamp", "140.00")])

    expect(harvest.result().data).toEqual({ lamps: [{ name: "Ash lamp", price: 140 }] })
    expect(harvest.add(page("Oak lamp", "90.00"))?.change).toBe("append")
  })

  it("takes a thousand rows and those of the page that brings them, and no more of all that follow", () => {
    const harvest = CollectedData.start(lampsSchema, [])
    const pageOf = (from: number): FilledPage => ({
      url: `http://site.test/${from}`,
      filled: {
        data: { lamps: Array.from({ length: 300 }, (_, index) => ({ name: `Lamp ${from + index}`, price: index })) },
        sources: new Map(),
        missing: [],
        engine: { name: "rules" },
        tokens: 0
      }
    })
    const counts = Array.from({ length: 100 }, (_, index) => harvest.add(pageOf(index * 300))?.itemCount)

    expect(counts.slice(0, 5)).toEqual([300, 600, 900, 1200, undefined])
    expect(counts.slice(4).every((count) => count === undefined)).toBe(true)
    expect([harvest.isFull(), CollectedData.countOf(harvest.result().data), harvest.pages().length]).toEqual([
      true,
      1200,
      100
    ])
  })

  it("says which engine has filled it", () => {
    const one = page("Ash lamp", "140.00")
    const byModel = { ...one, filled: { ...one.filled, engine: { name: "model" as const, model: "small-1" } } }

    expect(CollectedData.start(lampsSchema, []).engine()).toEqual({ name: "rules" })
    expect(CollectedData.start(lampsSchema, [one, byModel]).engine()).toEqual({ name: "model", model: "small-1" })
  })
})

describe("data of a run in words", () => {
  it("counts the rows of its longest list, else one thing", () => {
    expect([[1, 2], { a: [1], b: [1, 2, 3] }, { a: 1 }, { a: null }, null, 7].map(CollectedData.countOf)).toEqual([
      2, 3, 1, 0, 0, 0
    ])
    expect([null, [], [null], { a: [{ b: null }] }, { a: 0 }, ""].map(CollectedData.isEmpty)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false
    ])
  })
})
