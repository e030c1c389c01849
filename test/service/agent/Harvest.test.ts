import { describe, expect, it } from "vitest"
import * as Harvest from "../../../src/service/agent/Harvest.ts"

describe("data in words", () => {
  it("are answers as they stand, each once", () => {
    const answer = { answer: "Ward: Bridge, Votes: 563", relevance: 1 }
    const answers = [
      { question: "Who?", ...answer },
      { question: "How many?", ...answer },
      { question: "When?", answer: null }
    ]

    expect(Harvest.linesOf({ answers })).toEqual(["Ward: Bridge, Votes: 563", "The pages do not say: When?"])
  })

  it("are rows by what they are called, then what is said of them, then where they are", () => {
    const lamps = [{ url: "http://x.test/a", price: 140, lamp_name: "Ash lamp", in_stock: true, sku: null }]

    expect(Harvest.linesOf({ lamps })).toEqual(["Lamps (1):", "- Ash lamp: price 140, in stock true, http://x.test/a"])
  })

  it("are values by name", () => {
    expect(Harvest.linesOf({ entrance_fee: 6.5, note: null })).toEqual(["Entrance fee: 6.5"])
  })
})

describe("answers", () => {
  it("are enough where each says all that was asked", () => {
    const row = (relevance: number) => ({ question: "?", answer: "x", relevance })

    expect(Harvest.isAnswered({ answers: [row(1), row(0.95)] })).toBe(true)
    expect(Harvest.isAnswered({ answers: [row(1), row(0.7)] })).toBe(false)
    expect(Harvest.isAnswered({ lamps: [] })).toBe(false)
  })
})
