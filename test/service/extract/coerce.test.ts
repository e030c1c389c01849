import { describe, expect, it } from "vitest"
import { coerce } from "../../../src/service/extract/coerce.ts"

const as = (value: any, schema: object) => coerce(value, schema as any, "http://site.test/a/")

describe("coerce", () => {
  it.each([
    ["1,299.00", 1299],
    ["1.299,00 €", 1299],
    ["€ 4,50", 4.5],
    ["12.345", 12_345],
    ["1'234'567.8", 1_234_567.8],
    ["-3", -3],
    ["about 40 people", 40],
    [7, 7],
    ["3 of 5", undefined],
    ["none", undefined],
    [`${"a long text ".repeat(9)} 5`, undefined]
  ])("%s as a number is %s", (text, number) => {
    expect(as(text, { type: "number" })).toBe(number)
  })

  it.each([
    ["2026-03-01", "2026-03-01"],
    ["March 1, 2026", "2026-03-01"],
    ["1st March 2026", "2026-03-01"],
    ["2026-03-01T23:30:00Z", "2026-03-01"],
    ["next week", undefined],
    ["March 1", undefined]
  ])("%s as a date is %s", (text, date) => {
    expect(as(text, { type: "string", format: "date" })).toBe(date)
  })

  it.each([
    ["Yes", { type: "boolean" }, true],
    ["https://schema.org/OutOfStock", { type: "boolean" }, false],
    ["perhaps", { type: "boolean" }, undefined],
    ["2.5", { type: "integer" }, undefined],
    ["x.png", { type: "string", format: "uri" }, "http://site.test/a/x.png"],
    ["write to a@b.test now", { type: "string", format: "email" }, "a@b.test"],
    ["Full Time", { enum: ["full_time", "part_time"] }, "full_time"],
    ["other", { enum: ["full_time"] }, undefined],
    [{ "@type": "Person", name: "Ada" }, { type: "string" }, "Ada"],
    ["  ", { type: "string" }, undefined]
  ])("%j as %j is %j", (value, schema, wanted) => {
    expect(as(value, schema)).toEqual(wanted)
  })
})
