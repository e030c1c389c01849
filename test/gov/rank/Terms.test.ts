import { describe, expect, it } from "vitest"
import * as Terms from "../../../src/gov/rank/Terms.ts"

const term = (word: string, stem = word, others: ReadonlyArray<string> = [], weight = 1): Terms.Weighted => ({
  word,
  stem,
  weight,
  others: others.map((text) => ({ text, stems: text.split(" ") }))
})

describe("terms", () => {
  it("are found in the forms of their words", () => {
    const { find } = Terms.make([term("liability", "liabil"), term("evict"), term("policy", "polici")])
    expect(
      ["liability", "liabilities", "eviction", "evicted", "policies", "policy"].map((word) => find(word)?.term)
    ).toEqual([0, 0, 1, 1, 2, 2])
    expect(["liable", "victim", "police", "unevict"].map(find)).toEqual([undefined, undefined, undefined, undefined])
  })

  it("that are numbers are found as they are", () => {
    const { find } = Terms.make([term("101")])
    expect([find("101")?.term, find("1012")]).toEqual([0, undefined])
  })

  it("are found by other words, which count less, and by the longest stem that fits", () => {
    const { find } = Terms.make([term("rent"), term("rental"), term("car", "car", ["motor vehicle"])])
    expect(find("rentals")).toEqual({ term: 1, strength: 1 })
    expect(find("vehicle")?.term).toBe(2)
    expect(find("vehicle")?.strength).toBeLessThan(1)
  })

  it("cover a query by their weights", () => {
    const terms = Terms.make([term("late", "late", [], 1), term("fee", "fee", [], 3)])
    const { precision, terms: found } = terms.of("The fees of libraries")
    expect(Terms.coverage(terms, found)).toBe(0.75)
    expect(precision).toBe(0.5)
  })

  it("weigh by how few sections have them", () => {
    const rare = Terms.rarity({ word: "a", stem: "a", sections: 1 }, 1000)
    const common = Terms.rarity({ word: "b", stem: "b", sections: 900 }, 1000)
    expect(rare).toBeGreaterThan(common * 10)
    expect(Terms.rarity({ word: "c", stem: "c", sections: 5 }, 0)).toBeGreaterThanOrEqual(0)
  })
})
