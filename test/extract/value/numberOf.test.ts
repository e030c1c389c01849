import { describe, expect, it } from "vitest"
import { numberOf } from "#extract/value/fit"

const number = (text: string, unit?: string) =>
  numberOf(
    text,
    { schemas: [{ type: "number" }], kind: "number", ...(unit === undefined ? {} : { unit }) },
    { url: "http://x.test/" }
  )?.json

describe("a number", () => {
  it("is that of a bound where a text is one", () => {
    expect(["bis 31,5", "up to 2", "≤ 10", "jusqu'à 5"].map((text) => number(text))).toEqual([31.5, 2, 10, 5])
    expect(number("bis 2", "kg")).toBe(2)
  })

  it("is that of a share where its name says no other kind of number", () => {
    const share = (text: string) => numberOf(text, { schemas: [], kind: "text" }, { url: "http://x.test/" })?.json
    expect(["3,2 %", "−0,4 %", "12.5％", "٣٫٢٪"].map(share)).toEqual([3.2, -0.4, 12.5, 3.2])
    expect(numberOf("95%", { schemas: [], kind: "money" }, { url: "http://x.test/" })).toBeUndefined()
  })

  it("is less than nothing behind a dash at its beginning", () => {
    expect(number("–12,5")).toBe(-12.5)
  })

  it("is less than nothing behind the triangle of Japan", () => {
    const setting = { url: "http://x.test/", language: "ja" }
    expect(numberOf("△12.5%", { schemas: [], kind: "text" }, setting)?.json).toBe(-12.5)
    expect(numberOf("▲1,020", { schemas: [], kind: "number" }, setting)?.json).toBe(-1020)
  })

  it("is none where brackets or a minus behind it may say less than nothing", () => {
    expect(number("12.5-")).toBeUndefined()
    expect(numberOf("(1,234.50)", { schemas: [], kind: "money" }, { url: "http://x.test/" })).toBeUndefined()
  })

  it("is a sum in the currency of its page, where a sign is that of several", () => {
    const inCanada = { url: "http://x.test/", currency: "CAD" }
    const sum = (currency: string) => numberOf("$20", { schemas: [], kind: "money", currency }, inCanada)?.json

    expect([sum("CAD"), sum("USD")]).toEqual([20, undefined])
  })

  it("is a sum beside the share of its tax", () => {
    const sum = numberOf("EUR 20,00 (inkl. 19 % MwSt.)", { schemas: [], kind: "money" }, { url: "http://x.test/" })
    expect(sum?.json).toBe(20)
  })

  it("is that of a rate in the unit that is wanted", () => {
    expect(number("18 hours a week", "hours")).toBe(18)
    expect(number("90 minutes per day", "hours")).toBe(1.5)
  })

  it("is none where another unit is meant, or two numbers stand there", () => {
    expect(number("5 litres", "kg")).toBeUndefined()
    expect(number("from 2 to 5", "kg")).toBeUndefined()
  })

  it("is that of the wanted unit where a text says the same in two", () => {
    expect(number("1.2 kg (2.6 lb)", "lb")).toBe(2.6)
    expect(number("1.2 kg (2.6 lb)", "g")).toBe(1200)
    expect(number("1.2 kg box of 3 litres", "g")).toBeUndefined()
  })

  it("is a length of time in the unit that is wanted", () => {
    expect(number("PT1H11M", "minutes")).toBe(71)
    expect(number("1 h 11 min", "minutes")).toBe(71)
    expect(number("90", "minutes")).toBe(90)
  })
})
