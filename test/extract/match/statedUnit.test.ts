import { describe, expect, it } from "vitest"
import { statedUnit } from "#extract/match/Wanted"

describe("the unit that a schema states", () => {
  it.each([
    ["total time in minutes", "minutes"],
    ["Weight (kg)", "kg"],
    ["Weight in whole grams, without the box", "grams"],
    ["number of hours", "hours"],
    ["km", "km"],
    ["distance, miles", "miles"],
    ["Kochzeit in Minuten", "minuten"],
    ["poids en grammes", "grammes"]
  ])("of %j is %s", (sentence, unit) => {
    expect(statedUnit(sentence, false)).toEqual({ unit })
  })

  it.each([
    ["price in USD", "USD"],
    ["price in pounds", "GBP"],
    ["price (€)", "EUR"],
    ["EUR", "EUR"]
  ])("of %j, where a sum is asked for, is %s", (sentence, currency) => {
    expect(statedUnit(sentence, true)).toEqual({ currency })
  })

  it("of a weight in pounds is no currency", () => {
    expect(statedUnit("weight in pounds", false)).toEqual({ unit: "pounds" })
  })

  it.each(["the year in which it was built", "Year", "items in stock", "ALL", "in the last hours", undefined])(
    "is not stated by %j",
    (sentence) => {
      expect(statedUnit(sentence, false)).toEqual({})
    }
  )
})
