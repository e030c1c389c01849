import { describe, expect, it } from "vitest"
import type { Filter } from "#see/explore/ExploreApi"
import { filtersIn, filtersText, isSame } from "#see/explore/filters"

const filters: ReadonlyArray<Filter> = [
  { column: "a", kind: "is", value: null },
  { column: "b", kind: "is", value: false },
  { column: "c: d", kind: "range", from: 0, to: "2026-01-01", isClosed: true },
  { column: "e", kind: "filled" }
]

describe("filters in a URL", () => {
  it("come back as they were written", () => {
    expect(filtersIn(filtersText(filters))).toEqual(filters)
    expect(filtersText([])).toBe("")
    expect(filtersIn("")).toEqual([])
  })

  it.each([
    "nonsense",
    "{}",
    "[1]",
    '[{"column":"a","kind":"like","value":"x"}]',
    '[{"column":1,"kind":"filled"}]',
    '[{"column":"a","kind":"is"}]',
    '[{"column":"a","kind":"is","value":{}}]',
    '[{"column":"a","kind":"range","from":1}]',
    JSON.stringify(Array.from({ length: 51 }, () => ({ column: "a", kind: "filled" })))
  ])("are refused as a whole where one of them cannot be read: %s", (text) => {
    expect(filtersIn(text)).toBeUndefined()
  })

  it("are the same if all of them is", () => {
    const [first, second] = filters
    expect(first && isSame(first, { column: "a", kind: "is", value: null })).toBe(true)
    expect(first && second && isSame(first, second)).toBe(false)
  })
})
