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
