import { describe, expect, it } from "vitest"
import { asciiMinus } from "#extract/value/fit"

describe("a sign before a number", () => {
  it.each([
    ["△12.5", "ja", "-12.5"],
    ["▲1,020", "ja-JP", "-1,020"],
    ["△ 3.2%", "ko", "-3.2%"],
    ["‑5,2", "de", "-5,2"],
    ["\u200e−12", "he", "-12"],
    ["▼0,5 %", "de", "-0,5 %"],
    ["▼1.25%", "ko", "-1.25%"]
  ])("%s in %s is a minus", (text, language, ascii) => {
    expect(asciiMinus(text, language)).toBe(ascii)
  })

  it.each([
    ["▲ 1.2%", "en"],
    ["▲3.2%", "ko"],
    ["▼ 899 €", "de"],
    ["△ABC", "ja"],
    ["△12.5", undefined]
  ])("%s in %s stays, because it may mean something else", (text, language) => {
    expect(asciiMinus(text, language)).toBe(text)
  })
})
