import { describe, expect, it } from "@effect/vitest"
import { avroName, avroType, avroValue, partitionFields, specFor } from "#connectors/parquet/iceberg/partitionSpec"

const of = (type: string) => ({ id: 1000, name: "p", type })
const fields = ["a", "b"].map((name, at) => ({ id: at + 1, name, required: false, type: "long" }))

describe("a value of a partition in Avro", () => {
  it("has the type of its column, and all of its digits", () => {
    expect(avroValue(of("long"), "9007199254740993")).toBe(9007199254740993n)
    expect(avroValue(of("date"), "1969-12-31")).toBe(-1)
    expect(avroValue(of("date"), "2026-11-25")).toBe(20_782)
    expect(avroValue(of("timestamp"), "1970-01-01T00:00:01.000002Z")).toBe(1_000_002n)
    expect(avroValue(of("timestamp"), "1970-01-02")).toBe(86_400_000_000n)
    expect(avroValue(of("double"), "1e+21")).toBe(1e21)
    expect(avroValue(of("boolean"), "false")).toBe(false)
    expect(avroValue(of("string"), "")).toBe("")
    expect(avroValue(of("string"), null)).toBe(null)
  })

  it("is a decimal in two's complement, in as many bytes as its type needs", () => {
    const hexOf = (type: string, value: string) => Buffer.from(Object(avroValue(of(type), value))).toString("hex")

    expect(hexOf("decimal(4, 2)", "12.5")).toBe("04e2")
    expect(hexOf("decimal(4, 2)", "12.500")).toBe("04e2")
    expect(hexOf("decimal(4, 2)", "-0.01")).toBe("ffff")
    expect(hexOf("decimal(3, 0)", "-1")).toBe("ffff")
    expect(hexOf("decimal(2, 0)", "99")).toBe("63")
    expect(avroType(of("decimal(38, 2)"))).toMatchObject({ type: "fixed", size: 16, precision: 38, scale: 2 })
    expect(avroType(of("decimal(18, 2)"))).toMatchObject({ size: 8 })
  })
})

it("names of columns become names of Avro", () => {
  expect(["fetched_date", "a b", "1st", "ü"].map(avroName)).toEqual(["fetched_date", "a_x20b", "_1st", "_xFC"])
})

it("a partition that the table had before is the same one, and a column keeps its number in each", () => {
  const first = specFor(["a"], fields, [], 999)
  const second = specFor(["a", "b"], fields, [first.spec], first.last)
  const again = specFor(["a"], fields, [first.spec, second.spec], second.last)

  expect(first.spec).toMatchObject({ "spec-id": 0, fields: [{ "source-id": 1, "field-id": 1000 }] })
  expect(second.spec["spec-id"]).toBe(1)
  expect(second.spec.fields.map((field) => field["field-id"])).toEqual([1000, 1001])
  expect([again.spec, again.last]).toEqual([first.spec, 1001])
  expect(partitionFields(second.spec, fields.slice(0, 1))).toBe(undefined)
})
