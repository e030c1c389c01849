import { describe, expect, it } from "vitest"
import type { Column } from "#engine/Column"
import { columnFromSql } from "#engine/columnFromSql"
import type { Table } from "#engine/Table"
import { rowValidator, validateRow } from "#engine/validateRow"
import { draw, everything, seed, special } from "#testing/specimens"

const column = (name: string, sql: string, nullable = true): Column => ({
  name,
  type: columnFromSql(sql) ?? expect.fail(`${sql} is no type`),
  nullable
})
const tableOf = (...columns: ReadonlyArray<Column>): Table => ({ name: "t", description: "", key: [], columns })
const holds = (sql: string, cell: unknown) => validateRow(tableOf(column("c", sql)), { c: cell }) === undefined

describe("a misfit", () => {
  it("is none in the rows that every sink is tried with", () => {
    const check = rowValidator(everything)

    expect([...special, ...draw(seed, 500)].flatMap((row) => check(row) ?? [])).toEqual([])
  })

  it("says which column, what the cell is and what it should be", () => {
    const table = tableOf(column("url", "VARCHAR", false), column("status_code", "BIGINT"))

    expect(validateRow(table, { url: "/", status_code: "abc" })).toEqual({
      column: "status_code",
      message: `column status_code: a text is not a valid BIGINT: "abc"`
    })
    expect(validateRow(table, { status_code: 1 })?.message).toBe("column url: it must not be null")
    expect(validateRow(table, { url: null })?.message).toBe("column url: it must not be null")
    expect(validateRow(table, { url: "/", extra: undefined })).toEqual({
      column: "extra",
      message: "table t has no column extra"
    })
    expect(validateRow(table, { status_code: null, url: "/" })).toBeUndefined()
  })

  it("cuts a long value short, and shows what cannot be JSON", () => {
    const table = tableOf(column("c", "BIGINT"))
    const itself: Record<string, unknown> = {}
    itself["again"] = itself

    expect(validateRow(table, { c: "x".repeat(1000) })?.message).toBe(
      `column c: a text is not a valid BIGINT: "${"x".repeat(59)}...`
    )
    expect(validateRow(table, { c: 2n ** 64n })?.message).toBe(
      "column c: a bigint is not a valid BIGINT: 18446744073709551616"
    )
    expect(validateRow(table, { c: itself })?.message).toBe(
      "column c: an object is not a valid BIGINT: a value that contains itself"
    )
    expect(validateRow(table, { c: { n: 1n } })?.message).toBe(`column c: an object is not a valid BIGINT: {"n":"1n"}`)
    expect(validateRow(tableOf(column("c", "DECIMAL(4, 2)")), { c: 1.5 })?.message).toBe(
      'column c: a number is not a valid DECIMAL(4, 2): 1.5; give its digits as text, such as "12.50"'
    )
  })

  it("says what to give where a cell is not of the form of its type", () => {
    const said = (type: string, c: unknown) => validateRow(tableOf(column("c", type)), { c })?.message
    expect(said("TIMESTAMP", "2026-01-01 10:00:00")).toContain('; give a moment in UTC, such as "2026-11-21T04:23:05Z"')
    expect(said("TIMESTAMP", 2n ** 64n)).not.toContain("give")
    expect(said("DATE", "2026-01-01T10:00:00Z")).toContain('; give a day, such as "2026-11-21"')
    expect(said("DATE", "2026-02-30")).not.toContain("give")
    expect(said("DECIMAL(4, 2)", "1.234")).not.toContain("give")
  })

  it("is a day that the calendar does not have", () => {
    for (const day of ["0001-01-01", "2024-02-29", "2000-02-29", "9999-12-31"]) expect(holds("DATE", day)).toBe(true)
    for (const day of [
      "0000-01-01",
      "2023-02-29",
      "1900-02-29",
      "2026-04-31",
      "2026-00-10",
      "2026-13-01",
      "2026-01-00"
    ])
      expect(holds("DATE", day)).toBe(false)
    for (const day of ["", "2026-1-01", "2026-01-01T00:00:00Z", "२०२६-०१-०१", "+026-01-01", new Date(0), 0])
      expect(holds("DATE", day)).toBe(false)
  })

  it("is a decimal of more digits than its column has", () => {
    for (const text of ["0", "-0.00", "+99.99", "0099.99", "1.5", "1.500"]) {
      expect(holds("DECIMAL(4, 2)", text)).toBe(true)
    }
    for (const text of ["100", "1.505", "", ".", ".5", "5.", "1e2", "--1", "1.2.3", "NaN", "٣", " 1", 1]) {
      expect(holds("DECIMAL(4, 2)", text)).toBe(false)
    }
    expect(holds("DECIMAL(4, 0)", "1234")).toBe(true)
    expect(holds("DECIMAL(38, 38)", `0.${"9".repeat(38)}`)).toBe(true)
    expect(holds("DECIMAL(38, 38)", "1")).toBe(false)
  })

  it("is a number beyond the bits of its column", () => {
    for (const whole of [0, -0, 2 ** 53 - 1, 2n ** 63n - 1n, -(2n ** 63n)]) expect(holds("BIGINT", whole)).toBe(true)
    for (const whole of [2 ** 53, 1.5, Number.NaN, 2n ** 63n, -(2n ** 63n) - 1n])
      expect(holds("BIGINT", whole)).toBe(false)
    for (const real of [Number.NaN, Infinity, -Infinity, -0]) expect(holds("DOUBLE", real)).toBe(true)
    expect(holds("DOUBLE", 1n)).toBe(false)
    expect(holds("TIMESTAMP", 9_223_372_036_854_775_806n)).toBe(true)
    expect(holds("TIMESTAMP", 9_223_372_036_854_775_807n)).toBe(false)
    expect(holds("TIMESTAMP", -9_223_372_022_400_000_001n)).toBe(false)
    expect(holds("TIMESTAMP", 0)).toBe(false)
  })

  it("is what JSON text cannot say", () => {
    const deep = Array.from({ length: 2000 }).reduce<unknown>((inner) => [inner], 1)
    const itself: Array<unknown> = []
    itself.push(itself)

    for (const value of [{}, [], "", 0, false, { a: [null, { b: "\ud800" }], gone: undefined }, Object.create(null)]) {
      expect(holds("JSON", value)).toBe(true)
    }
    for (const value of [Number.NaN, 1n, [undefined], { at: new Date(0) }, new Map(), () => 1, deep, itself]) {
      expect(holds("JSON", value)).toBe(false)
    }
  })

  it("is found inside of lists and structs, with its place", () => {
    const table = tableOf(column("items", `STRUCT(name VARCHAR, prices DECIMAL(6, 2)[])[]`))

    expect(validateRow(table, { items: [null, {}, { name: "a", prices: ["1.00", null] }] })).toBeUndefined()
    expect(validateRow(table, { items: [{}, { prices: ["1.00", "1.001"] }] })?.message).toBe(
      `column items[1].prices[1]: a text is not a valid DECIMAL(6, 2): "1.001"`
    )
    expect(validateRow(table, { items: [{ colour: 1 }] })?.message).toBe(
      "column items[0].colour: there is no such field"
    )
    expect(validateRow(table, { items: [[]] })?.message).toBe("column items[0]: a list is not a valid STRUCT: []")
    expect(validateRow(table, { items: {} })?.message).toBe("column items: an object is not a valid LIST: {}")
  })

  it("does not take what every object inherits for a cell", () => {
    const table = tableOf(column("toString", "VARCHAR", false), column("constructor", "JSON", false))

    expect(validateRow(table, {})?.column).toBe("toString")
    expect(validateRow(table, { toString: "a", constructor: {} })).toBeUndefined()
  })

  it("is no half of a surrogate pair", () => {
    expect(holds("VARCHAR", "\ud83d")).toBe(true)
  })
})
