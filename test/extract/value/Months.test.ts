import { describe, expect, it } from "vitest"
import { isWeekday, monthOf } from "#extract/value/Months"

describe("months", () => {
  it.each([
    ["Sept.", "en", 9],
    ["févr.", "fr", 2],
    ["mrt", "nl", 3],
    ["Dezember", undefined, 12],
    ["října", "cs", 10],
    ["listopad", "pl", 11],
    ["listopad", "hr", 10],
    ["listopad", undefined, undefined],
    ["lorem", "en", undefined]
  ])("%s in %s is %s", (word, language, month) => {
    expect(monthOf(word, language)).toBe(month)
  })

  it("knows days of the week in the page's language", () => {
    expect(isWeekday("Mittwoch", "de")).toBe(true)
    expect(isWeekday("Tue", "de")).toBe(true)
    expect(isWeekday("Mittwoch", "fr")).toBe(false)
  })
})
