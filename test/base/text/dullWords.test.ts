import { describe, expect, it } from "vitest"
import { isDull, isDullInLaw } from "#base/dullWords"

describe("dull words", () => {
  it("are dull everywhere, or only among pages, or only in law", () => {
    const told = ["the", "page", "law", "lamp"].map((word) => [isDull(word), isDullInLaw(word)])
    expect(told).toEqual([
      [true, true],
      [true, false],
      [false, true],
      [false, false]
    ])
  })
})
