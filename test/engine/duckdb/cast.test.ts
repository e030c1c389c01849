import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Column, ColumnType } from "#engine/Column"
import { columnFromSql } from "#engine/columnFromSql"
import { cellConverter } from "#engine/convertCell"
import * as Database from "#engine/Duckdb"
import { cast } from "#engine/duckdbCast"
import { folder } from "#testing/folder"

const type = (sql: string): ColumnType => columnFromSql(sql) ?? expect.fail(`${sql} is no type`)
const column = (sql: string): Column => ({ name: "cell", type: type(sql), nullable: true })

/** What a cell of a type is in a column of another. */
const convert = (cell: unknown, from: string, to: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const database = yield* Database.open({ threads: 1, memory: "64MB", spill: yield* folder })
      const feed = yield* database.feed([column(from)])
      feed.load([{ cell }])
      const [row] = yield* database.query(`SELECT ${cast("cell", type(from), type(to))} AS cell FROM ${feed.call}`, [
        column(to)
      ])
      return row?.["cell"]
    })
  )

describe("a value in a narrower column", () => {
  const fits: ReadonlyArray<readonly [cell: unknown, from: string, to: string, there: unknown]> = [
    [7, "DOUBLE", "BIGINT", 7n],
    [2n ** 62n, "BIGINT", "TIMESTAMP", 2n ** 62n],
    [-1n, "TIMESTAMP", "BIGINT", -1n],
    ["12.5", "VARCHAR", "DECIMAL(10, 2)", "12.50"],
    ["12.5000", "DECIMAL(12, 4)", "DECIMAL(10, 2)", "12.50"],
    ["2026-11-21", "VARCHAR", "DATE", "2026-11-21"],
    ['say "ü"', "JSON", "VARCHAR", 'say "ü"'],
    [{ a: [1, 2], b: "x" }, "JSON", "STRUCT(a BIGINT[], b VARCHAR)", { a: [1n, 2n], b: "x" }],
    [{ a: [1] }, "JSON", "STRUCT(a BIGINT[], b VARCHAR)", { a: [1n], b: null }],
    [[{ a: 7 }, null], "STRUCT(a DOUBLE)[]", "STRUCT(a BIGINT)[]", [{ a: 7n }, null]],
    [null, "BOOLEAN[]", "BIGINT", null]
  ]
  for (const [cell, from, to, there] of fits) {
    it.effect(`is the same: ${from} to ${to}`, () =>
      Effect.gen(function* () {
        expect(yield* convert(cell, from, to)).toEqual(there)
      })
    )
  }

  it.effect("is refused where it is not one of its values", () =>
    Effect.gen(function* () {
      for (const [cell, from, to] of [
        [7.5, "DOUBLE", "BIGINT"],
        [1e300, "DOUBLE", "BIGINT"],
        ["12.505", "VARCHAR", "DECIMAL(10, 2)"],
        ["1.5", "VARCHAR", "BIGINT"],
        [1n, "TIMESTAMP", "DATE"],
        [true, "BOOLEAN", "BIGINT"],
        [["a"], "VARCHAR[]", "BIGINT"],
        [{ a: 1.5 }, "STRUCT(a DOUBLE)", "STRUCT(a BIGINT)"]
      ] as const) {
        const error = yield* Effect.flip(convert(cell, from, to))
        expect(error._tag).toBe("DatabaseError")
      }
    })
  )
})

it.effect("a number that JSON has no word for is text in it, wherever it stands", () =>
  Effect.gen(function* () {
    expect(yield* convert(Number.NaN, "DOUBLE", "JSON")).toBe("NaN")
    expect(yield* convert({ a: [1.5, Number.POSITIVE_INFINITY] }, "STRUCT(a DOUBLE[])", "JSON")).toEqual({
      a: [1.5, "Infinity"]
    })
  })
)

it.effect("a number that readers of JSON would read as another one is text in it, wherever it stands", () =>
  Effect.gen(function* () {
    const nines = "9".repeat(38)
    expect(yield* convert(2n ** 53n + 1n, "BIGINT", "JSON")).toBe("9007199254740993")
    expect(yield* convert([1n, -(2n ** 63n)], "BIGINT[]", "JSON")).toEqual([1, "-9223372036854775808"])
    expect(yield* convert(nines, "DECIMAL(38, 0)", "JSON")).toBe(nines)
    expect(yield* convert({ a: "-0.50", b: nines }, "STRUCT(a DECIMAL(10, 2), b DECIMAL(38, 0))", "JSON")).toEqual({
      a: -0.5,
      b: nines
    })
    expect(yield* convert("1000000000000000", "DECIMAL(20, 0)", "JSON")).toBe("1000000000000000")
    expect(yield* convert("999999999999.990", "DECIMAL(20, 3)", "JSON")).toBe(999_999_999_999.99)
    expect(yield* convert(null, "DECIMAL(20, 3)", "JSON")).toBeNull()
  })
)

it.effect("the text of a number is that of other destinations", () =>
  Effect.gen(function* () {
    const numbers = [
      2,
      0,
      -0,
      -1.5,
      1e14,
      1e15,
      -1.25e15,
      1_000_000_000_000_000.1,
      1e16,
      1e21,
      1e-4,
      1e-5,
      5e-324,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY
    ]
    const here = cellConverter({ _tag: "DOUBLE" }, { _tag: "VARCHAR" })
    for (const number of numbers) expect(yield* convert(number, "DOUBLE", "VARCHAR")).toBe(here(number))
    expect(yield* convert([2, null], "DOUBLE[]", "VARCHAR[]")).toEqual(["2", null])
  })
)

/** What a value of one type is as one of another. */
const casted = (value: string, from: string, to: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const spill = join(yield* folder, "spill")
      const database = yield* Database.open({ threads: 1, memory: "128MB", spill })
      const sql = `SELECT ${cast("value", type(from), type(to))} FROM (SELECT CAST(${value} AS ${from}) AS value)`
      const [row] = yield* database.query(sql, [{ name: "value", type: type(to), nullable: true }])
      return row?.["value"]
    })
  )

it.effect("what becomes JSON is written as JSON and never read as such", () =>
  Effect.gen(function* () {
    expect(yield* casted(`'[1]'`, "VARCHAR", "JSON")).toBe("[1]")
    expect(yield* casted("[1, NULL]", "BIGINT[]", "JSON")).toEqual([1, null])
    expect(yield* casted(`{"it's": '{}'}`, `STRUCT("it's" VARCHAR)`, `STRUCT("it's" JSON)`)).toEqual({ "it's": "{}" })
  })
)

it.effect("null stays null at every depth, and fields that are missing are null", () =>
  Effect.gen(function* () {
    const [narrow, wide] = [
      "STRUCT(a STRUCT(x BIGINT)[])[]",
      "STRUCT(a STRUCT(y VARCHAR, x DOUBLE)[], b DATE)[]"
    ] as const
    expect(yield* casted("NULL", narrow, wide)).toBeNull()
    expect(yield* casted(`[NULL, {a: NULL}, {a: [NULL, {x: 1}]}]`, narrow, wide)).toEqual([
      null,
      { a: null, b: null },
      { a: [null, { y: null, x: 1 }], b: null }
    ])
  })
)

it.effect("a text that was JSON is that text where the table has texts", () =>
  Effect.gen(function* () {
    expect(yield* casted(`'"say \\"ü\\""'`, "JSON", "VARCHAR")).toBe(`say "ü"`)
    expect(yield* casted("NULL", "JSON", "VARCHAR")).toBeNull()
  })
)
