import { describe, expect, it } from "vitest"
import type { ColumnType } from "#engine/Column"
import { columnFromSql } from "#engine/columnFromSql"
import { cellConverter } from "#engine/convertCell"

const type = (sql: string): ColumnType => columnFromSql(sql) ?? expect.fail(`${sql} is no type`)
const convert = (cell: unknown, from: string, to: string) => cellConverter(type(from), type(to))(cell)

describe("a cell in a narrower column", () => {
  it("is itself where it is one of its values", () => {
    expect(convert(7, "DOUBLE", "BIGINT")).toBe(7)
    expect(convert("12.5", "VARCHAR", "DECIMAL(10, 2)")).toBe("12.50")
    expect(convert("12.5000", "DECIMAL(12, 4)", "DECIMAL(10, 2)")).toBe("12.50")
    expect(convert({ a: [1], b: "gone" }, "JSON", "STRUCT(a BIGINT[])")).toEqual({ a: [1] })
    expect(convert(7n, "BIGINT", "TIMESTAMP")).toBe(7n)
    expect(convert(7n, "TIMESTAMP", "BIGINT")).toBe(7n)
    expect(convert(null, "JSON", "BOOLEAN")).toBeNull()
  })

  it("is refused where it is not", () => {
    for (const [cell, from, to] of [
      [7.5, "DOUBLE", "BIGINT"],
      ["12.505", "VARCHAR", "DECIMAL(10, 2)"],
      ["seven", "VARCHAR", "DOUBLE"],
      [0n, "TIMESTAMP", "DATE"],
      [1, "JSON", "BOOLEAN"],
      ["a", "JSON", "VARCHAR[]"],
      [[], "JSON", "VARCHAR"]
    ] as const) {
      expect(() => convert(cell, from, to)).toThrow(/ is not a valid /)
    }
  })
})

describe("an exact number in a column of doubles", () => {
  it("is itself where a double has its digits, and is refused where it has not", () => {
    expect(convert(2n ** 53n, "BIGINT", "DOUBLE")).toBe(2 ** 53)
    expect(convert(7, "BIGINT", "DOUBLE")).toBe(7)
    expect(convert("-12.50", "DECIMAL(38, 10)", "DOUBLE")).toBe(-12.5)
    expect(convert("0.00", "DECIMAL(38, 10)", "DOUBLE")).toBe(0)
    expect(convert("0.1234567890123456", "DECIMAL(38, 20)", "DOUBLE")).toBe(0.1234567890123456)
    expect(convert("10000000000000000000000.00", "DECIMAL(38, 2)", "DOUBLE")).toBe(1e22)
    expect(convert([1n, null], "BIGINT[]", "DOUBLE[]")).toEqual([1, null])
    for (const [cell, from] of [
      [2n ** 53n + 1n, "BIGINT"],
      [2n ** 63n - 1n, "BIGINT"],
      ["12345678901234567.89", "DECIMAL(20, 2)"],
      ["10000000000000000000000.01", "DECIMAL(38, 2)"]
    ] as const) {
      expect(() => convert(cell, from, "DOUBLE")).toThrow(`${cell} is ${from} and would change as DOUBLE; let`)
    }
    expect(() => convert({ a: [2n ** 53n + 1n] }, "STRUCT(a BIGINT[])", "STRUCT(a DOUBLE[])")).toThrow(
      "9007199254740993"
    )
  })
})

describe("a number in a column that has become JSON", () => {
  it("is a text where JSON has no word for it", () => {
    expect(convert(Number.NaN, "DOUBLE", "JSON")).toBe("NaN")
    expect(convert([Number.POSITIVE_INFINITY, 1.5], "DOUBLE[]", "JSON")).toEqual(["Infinity", 1.5])
    expect(convert({ a: Number.NEGATIVE_INFINITY }, "STRUCT(a DOUBLE)", "JSON")).toEqual({ a: "-Infinity" })
  })

  it("is a number where it keeps all of its digits, and a text otherwise", () => {
    expect(convert("-12.50", "DECIMAL(38, 10)", "JSON")).toBe(-12.5)
    expect(convert("99999999999999.90000000000000000000", "DECIMAL(38, 20)", "JSON")).toBe(99_999_999_999_999.9)
    expect(convert("0.0000000001", "DECIMAL(38, 10)", "JSON")).toBe(1e-10)
    expect(convert("123456789012345678.91", "DECIMAL(20, 2)", "JSON")).toBe("123456789012345678.91")
    expect(convert(["0.1234567890123456"], "DECIMAL(38, 20)[]", "JSON")).toEqual(["0.12345678901234560000"])
    expect(convert(2n ** 53n + 1n, "BIGINT", "JSON")).toBe("9007199254740993")
  })
})

it("a number is written as SQL writes it", () => {
  const numbers = [1.5, 3, -0, 0.0001, 1e-5, -1e-7, 5e-324, 999_999_999_999_999, 1e15, -1.5e20, Number.NaN]
  expect(numbers.map((cell) => convert(cell, "DOUBLE", "VARCHAR"))).toEqual([
    "1.5",
    "3",
    "-0",
    "0.0001",
    "1e-05",
    "-1e-07",
    "5e-324",
    "999999999999999",
    "1e+15",
    "-1.5e+20",
    "NaN"
  ])
  expect(convert("7", "DECIMAL(10, 2)", "VARCHAR")).toBe("7.00")
  expect(convert(10 ** 15, "BIGINT", "VARCHAR")).toBe("1000000000000000")
})

it("a moment is written as SQL writes it, in all years that a moment can have", () => {
  expect(convert(-1n, "TIMESTAMP", "VARCHAR")).toBe("1969-12-31 23:59:59.999999")
  expect(convert(1_500_000n, "TIMESTAMP", "JSON")).toBe("1970-01-01 00:00:01.5")
  expect(convert(253_402_300_800_000_000n, "TIMESTAMP", "VARCHAR")).toBe("10000-01-01 00:00:00")
  expect(convert(9_223_372_036_854_775_806n, "TIMESTAMP", "VARCHAR")).toBe("294247-01-10 04:00:54.775806")
  expect(convert(-62_167_219_200_000_000n, "TIMESTAMP", "VARCHAR")).toBe("0001-01-01 00:00:00 BC")
  expect(convert(2n ** 63n - 1n, "TIMESTAMP", "VARCHAR")).toBe("infinity")
})
