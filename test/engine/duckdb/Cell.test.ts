import * as driver from "@duckdb/node-api"
import { describe, expect, it } from "@effect/vitest"
import type * as Column from "#engine/Column"
import * as Cell from "#engine/DuckdbCell"

const encode = (type: Column.ColumnType, cell: unknown) => Cell.encoder(driver, type)(cell)
const back = (type: Column.ColumnType, cell: unknown) => Cell.decoder(driver, type)(encode(type, cell))

describe("a cell that is not of its column is refused with what it was", () => {
  const refused: ReadonlyArray<readonly [Column.ColumnType, unknown, string]> = [
    [{ _tag: "VARCHAR" }, 5, "a number is not a valid VARCHAR: 5"],
    [{ _tag: "BOOLEAN" }, "true", `a string is not a valid BOOLEAN: "true"`],
    [{ _tag: "BIGINT" }, 1.5, "a number is not a valid BIGINT: 1.5"],
    [{ _tag: "BIGINT" }, 2 ** 53, "a number is not a valid BIGINT: 9007199254740992"],
    [{ _tag: "DOUBLE" }, 1n, "a bigint is not a valid DOUBLE: 1n"],
    [{ _tag: "TIMESTAMP" }, "2026-11-21", `a string is not a valid TIMESTAMP: "2026-11-21"`],
    [{ _tag: "DATE" }, "2026-02-30", `a string is not a valid DATE: "2026-02-30"`],
    [{ _tag: "DATE" }, "2026-1-1", `a string is not a valid DATE: "2026-1-1"`],
    [{ _tag: "DECIMAL", precision: 4, scale: 2 }, "100.00", `a string is not a valid DECIMAL: "100.00"`],
    [{ _tag: "DECIMAL", precision: 4, scale: 2 }, "1.005", `a string is not a valid DECIMAL: "1.005"`],
    [{ _tag: "DECIMAL", precision: 4, scale: 2 }, "1e3", `a string is not a valid DECIMAL: "1e3"`],
    [{ _tag: "STRUCT", fields: [] }, "x", `a string is not a valid STRUCT: "x"`],
    [
      { _tag: "LIST", of: { name: "i", type: { _tag: "BIGINT" }, nullable: true } },
      {},
      "a object is not a valid LIST: {}"
    ],
    [{ _tag: "JSON" }, () => 1, "a function is not a valid JSON: () => 1"],
    [{ _tag: "VARCHAR" }, ["x".repeat(100)], `a object is not a valid VARCHAR: ["${"x".repeat(58)}...`]
  ]
  for (const [type, cell, message] of refused) {
    it(message, () => expect(() => encode(type, cell)).toThrow(message))
  }
})

it("decimals keep their digits at the scale of the column", () => {
  const type = { _tag: "DECIMAL", precision: 38, scale: 2 } as const
  expect(
    ["12.5", "-0.01", "+7", "1.10000", "123456789012345678901234567890123456.78"].map((cell) => back(type, cell))
  ).toEqual(["12.50", "-0.01", "7.00", "1.10", "123456789012345678901234567890123456.78"])
})

it("days are those of the calendar, from year 1 to 9999", () => {
  for (const day of ["0001-01-01", "1582-10-15", "2024-02-29", "9999-12-31"])
    expect(back({ _tag: "DATE" }, day)).toBe(day)
})

it("null and absent are null at every depth", () => {
  const type: Column.ColumnType = {
    _tag: "LIST",
    of: {
      name: "item",
      nullable: true,
      type: { _tag: "STRUCT", fields: [{ name: "a", type: { _tag: "VARCHAR" }, nullable: true }] }
    }
  }
  expect(back(type, undefined)).toBeNull()
  expect(back(type, [null, {}, { a: undefined }, { a: "" }])).toEqual([null, { a: null }, { a: null }, { a: "" }])
})

it("a struct keeps the fields of its type and no others", () => {
  const type: Column.ColumnType = { _tag: "STRUCT", fields: [{ name: "a", type: { _tag: "BIGINT" }, nullable: true }] }
  expect(back(type, { a: 1, b: 2 })).toEqual({ a: 1n })
})

it("a number within JSON keeps the digits that DuckDB has of it", () => {
  const decoded = Cell.decoder(driver, { _tag: "JSON" })('{"id":12345678901234567890}')
  expect(JSON.stringify(decoded)).toBe('{"id":12345678901234567890}')
  expect(encode({ _tag: "JSON" }, decoded)).toBe('{"id":12345678901234567890}')
})
