import { describe, expect, it } from "vitest"
import type { JsonSchema } from "#contract/JsonSchema"
import type { Expected } from "#extract/value/Choice"
import { fit } from "#extract/value/fit"

const setting = { url: "http://site.test/a/", language: "en" }
const as = (data: string | number | boolean, schema: JsonSchema, more: Partial<Expected> = {}) =>
  fit(data, { schemas: [schema], kind: "text", ...more }, setting)?.json

describe("fit", () => {
  it.each([
    ["1,299.00", { type: "number" }, 1299],
    ["1.299,00 €", { type: "number" }, 1299],
    ["-3", { type: "number" }, -3],
    ["about 40 people", { type: "number" }, 40],
    [7, { type: "number" }, 7],
    ["3 of 5", { type: "number" }, undefined],
    ["£20 to £30", { type: "number" }, undefined],
    ["2026-05-03", { type: "number" }, undefined],
    ["none", { type: "number" }, undefined],
    [`${"a long text ".repeat(9)} 5`, { type: "number" }, undefined],
    ["2.5", { type: "integer" }, undefined],
    ["1,234", { type: "integer" }, 1234],
    ["Yes", { type: "boolean" }, true],
    ["perhaps", { type: "boolean" }, undefined],
    ["x.png", { type: "string", format: "uri" }, "http://site.test/a/x.png"],
    ["write to a@b.test now", { type: "string", format: "email" }, "a@b.test"],
    ["March 1, 2026", { type: "string", format: "date" }, "2026-03-01"],
    ["2026-03-01T23:30:00Z", { type: "string", format: "date" }, "2026-03-01"],
    ["next week", { type: "string", format: "date" }, undefined],
    ["2026-03-01", { type: "string", format: "date-time" }, "2026-03-01T00:00:00Z"],
    ["Full Time", { enum: ["full_time", "part_time"] }, "full_time"],
    ["abc", { type: "string", pattern: "^\\d+$" }, undefined],
    ["abc", { type: "string", pattern: "(?=not of RE2)" }, "abc"],
    ["abcdef", { type: "string", maxLength: 3 }, undefined],
    ["  ", { type: "string" }, undefined]
  ])("%j as %j is %j", (data, schema, json) => {
    expect(as(data, schema)).toEqual(json)
  })

  it("tells dates and currencies of plain strings as ISO where the name says what they are", () => {
    expect(as("3 May 2026", { type: "string" }, { kind: "date" })).toBe("2026-05-03")
    expect(as("3 May 2026", { type: "string" })).toBe("3 May 2026")
    expect(as("£5", { type: "string" }, { kind: "currency" })).toBe("GBP")
  })

  it("turns a measure into the unit that the name ends in, and refuses what has another currency", () => {
    expect(as("2.5 kg", { type: "number" }, { unit: "g" })).toBe(2500)
    expect(as("2.5 l", { type: "number" }, { unit: "g" })).toBeUndefined()
    expect(as("5 €", { type: "number" }, { kind: "money", currency: "USD" })).toBeUndefined()
    expect(as("$5", { type: "number" }, { kind: "money", currency: "USD" })).toBe(5)
  })

  it("fits badly where it is out of bounds, and is told as it is", () => {
    const found = (data: string) => fit(data, { schemas: [{ type: "number", maximum: 100 }], kind: "text" }, setting)

    expect(found("12")).toEqual({ json: 12, fit: 1 })
    expect(found("120")).toEqual({ json: 120, fit: 0.3 })
  })

  it("takes the first of several schemas that a value is of", () => {
    expect(fit("soon", { schemas: [{ type: "number" }, { type: "string" }], kind: "text" }, setting)?.json).toBe("soon")
  })
})

describe("a property that says what is not so", () => {
  it("is true where the page says that state, and follows a plain yes", () => {
    const denied = (text: string) =>
      fit(text, { schemas: [{ type: "boolean" }], kind: "status", isDenied: true }, { url: "http://x.test/" })?.json

    expect(["sold out", "in stock", "yes", "no"].map(denied)).toEqual([true, false, true, false])
  })
})

const number = (text: string, unit?: string) =>
  fit(
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
    const share = (text: string) =>
      fit(text, { schemas: [{ type: "number" }], kind: "text" }, { url: "http://x.test/" })?.json
    expect(["3,2 %", "−0,4 %", "12.5％", "٣٫٢٪"].map(share)).toEqual([3.2, -0.4, 12.5, 3.2])
    expect(fit("95%", { schemas: [{ type: "number" }], kind: "money" }, { url: "http://x.test/" })).toBeUndefined()
  })

  it("is less than nothing behind a dash at its beginning", () => {
    expect(number("–12,5")).toBe(-12.5)
  })

  it("is less than nothing behind the triangle of Japan", () => {
    const setting = { url: "http://x.test/", language: "ja" }
    expect(fit("△12.5%", { schemas: [{ type: "number" }], kind: "text" }, setting)?.json).toBe(-12.5)
    expect(fit("▲1,020", { schemas: [{ type: "number" }], kind: "number" }, setting)?.json).toBe(-1020)
  })

  it("is none where brackets or a minus behind it may say less than nothing", () => {
    expect(number("12.5-")).toBeUndefined()
    expect(
      fit("(1,234.50)", { schemas: [{ type: "number" }], kind: "money" }, { url: "http://x.test/" })
    ).toBeUndefined()
  })

  it("is a sum in the currency of its page, where a sign is that of several", () => {
    const inCanada = { url: "http://x.test/", currency: "CAD" }
    const sum = (currency: string) =>
      fit("$20", { schemas: [{ type: "number" }], kind: "money", currency }, inCanada)?.json

    expect([sum("CAD"), sum("USD")]).toEqual([20, undefined])
  })

  it("is a sum beside the share of its tax", () => {
    const sum = fit(
      "EUR 20,00 (inkl. 19 % MwSt.)",
      { schemas: [{ type: "number" }], kind: "money" },
      { url: "http://x.test/" }
    )
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

describe("a sign before a number", () => {
  const number = (text: string, language: string | undefined) =>
    fit(
      text,
      { schemas: [{ type: "number" }], kind: "text" },
      { url: "http://x.test/", ...(language === undefined ? {} : { language }) }
    )?.json

  it.each([
    ["△12.5", "ja", -12.5],
    ["▲1,020", "ja-JP", -1020],
    ["△ 3.2%", "ko", -3.2],
    ["‑5,2", "de", -5.2],
    ["\u200e−12", "he", -12],
    ["▼0,5 %", "de", -0.5],
    ["▼1.25%", "ko", -1.25]
  ])("%s in %s is a minus", (text, language, value) => {
    expect(number(text, language)).toBe(value)
  })

  it.each([
    ["▲ 1.2%", "en", undefined],
    ["▲3.2%", "ko", undefined],
    ["▼ 899 €", "de", 899],
    ["△ABC", "ja", undefined],
    ["△12.5", undefined, 12.5]
  ])("%s in %s is none, because it may mean something else", (text, language, value) => {
    expect(number(text, language)).toBe(value)
  })
})
