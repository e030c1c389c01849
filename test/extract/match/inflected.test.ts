import { describe, expect, it } from "vitest"
import { inflected, singular } from "#extract/match/Names"

describe("a form of a word", () => {
  it("means what the word means", () => {
    expect(["zutaten", "prezzi", "lamps"].map((word) => inflected(word)?.id)).toEqual([
      "ingredient",
      "price",
      undefined
    ])
  })

  it("has a singular", () => {
    expect(["lamps", "categories", "glass", "status", "bus"].map(singular)).toEqual([
      "lamp",
      "category",
      "glass",
      "status",
      "bus"
    ])
  })
})
