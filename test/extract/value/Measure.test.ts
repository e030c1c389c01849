import { describe, expect, it } from "vitest"
import * as Measure from "#extract/value/Measure"
import { plainUnit, unitIn } from "#extract/value/Measure"

describe("Measure", () => {
  it.each([
    ["2.5 kg", { value: 2.5, unit: "kg" }],
    ["ca. 30 cm", { value: 30, unit: "cm" }],
    ["3 of 5", undefined],
    ["kg", undefined]
  ])("%s is %o", (text, measure) => {
    expect(Measure.parse(text)).toEqual(measure)
  })

  it.each([
    ["87 кв. м", "ru", 87],
    ["25.6㎡", "ja", 25.6],
    ["87.4 m2", undefined, 87.4],
    ["87 τ.μ.", "el", 87],
    ["1,200 sq ft", "en", 111.483648]
  ])("%s in %s is an area of %d square metres", (text, language, value) => {
    const measure = Measure.parse(text, language)
    expect(measure && Measure.convert(measure, "m2")).toBe(value)
  })

  it("becomes another unit of its kind and no unit of another", () => {
    expect(Measure.convert({ value: 2.5, unit: "kg" }, "g")).toBe(2500)
    expect(Measure.convert({ value: 2.5, unit: "kg" }, "cm")).toBeUndefined()
  })

  it("is named at the end of a name", () => {
    expect(Measure.unitOf(["weight", "kg"])).toBe("kg")
    expect(Measure.unitOf(["weight"])).toBeUndefined()
    expect(Measure.unitOf(["hours", "per", "week"])).toBeUndefined()
  })

  it("is said in several units in one text", () => {
    expect(Measure.all("1.2 kg (2.6 lb)")).toEqual([
      { value: 1.2, unit: "kg" },
      { value: 2.6, unit: "lb" }
    ])
    expect(Measure.isSame("kg", "kilograms")).toBe(true)
    expect(Measure.isSame("kg", "lb")).toBe(false)
  })
})

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
