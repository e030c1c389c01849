import { describe, expect, it } from "vitest"
import { plainUnit, unitIn } from "#extract/value/Measure"

describe("the name of a unit", () => {
  it.each([
    ["λεπτά", "el", "min"],
    ["dk.", "tr", "min"],
    ["ชั่วโมง", "th-TH", "h"],
    ["שע׳", "iw", "h"],
    ["год", "uk", "h"],
    ["год", "ru", "year"],
    ["kilogramů", "cs", "kg"],
    ["λεπτά", "de", undefined],
    ["λεπτά", undefined, undefined],
    ["λεπτά", "no such language", undefined]
  ])("%s in %s is %s", (word, language, unit) => {
    expect(unitIn(word, language)).toBe(unit)
  })

  it("is compared without points, blanks and raised figures", () => {
    expect(["кв. м", "τ.μ.", "m²", "㎡", 'ק"מ'].map(plainUnit)).toEqual(["квм", "τμ", "m2", "m2", "קמ"])
  })
})
