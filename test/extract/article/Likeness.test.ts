import { describe, expect, it } from "vitest"
import { likeness } from "#extract/article/Declared"

describe("likeness", () => {
  it("is the share of the second text that the first says too", () => {
    expect(likeness("the mill turns", "The mill turns")).toBe(1)
    expect(likeness("the mill turns", "nothing alike")).toBe(0)
    expect(likeness("one two", "one two three four")).toBeCloseTo(8 / 18)
    expect(likeness("", "text")).toBe(0)
  })
})
