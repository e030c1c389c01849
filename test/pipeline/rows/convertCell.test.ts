import { describe, expect, it } from "vitest"
import type { ColumnType } from "../../../src/pipeline/Column.ts"
import { columnFromSql } from "../../../src/pipeline/columnFromSql.ts"
import { cellConverter } from "../../../src/pipeline/rows/convertCell.ts"

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

it("a moment is written as SQL writes it, before 1970 too", () => {
  expect(convert(-1n, "TIMESTAMP", "VARCHAR")).toBe("1969-12-31 23:59:59.999999")
  expect(convert(1_500_000n, "TIMESTAMP", "JSON")).toBe("1970-01-01 00:00:01.5")
})
