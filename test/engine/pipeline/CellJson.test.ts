import { expect, it } from "vitest"
import * as CellJson from "#engine/CellJson"
import { columnFromSql } from "#engine/columnFromSql"
import { everything, special } from "#testing/specimens"

const of = (sql: string, cell: unknown) => CellJson.ofCell(columnFromSql(sql) ?? expect.fail(`${sql} is no type`))(cell)

it("a cell becomes JSON without losing a digit", () => {
  expect(of("BIGINT", 2n ** 53n - 1n)).toBe(2 ** 53 - 1)
  expect(of("BIGINT", -(2n ** 53n))).toBe("-9007199254740992")
  expect(of("DECIMAL(18, 2)", "12.50")).toBe("12.50")
  expect(of("DOUBLE", -Infinity)).toBe("-Infinity")
  expect(of("DATE", "2026-11-21")).toBe("2026-11-21")
  expect(of("TIMESTAMP", 1n)).toBe("1970-01-01T00:00:00.000001Z")
  expect(of("JSON", { a: [1] })).toEqual({ a: [1] })
  expect(of("VARCHAR", undefined)).toBeNull()
})

it("a struct has all its fields, and a list all its items", () => {
  expect(of("STRUCT(a TIMESTAMP, toString VARCHAR)[]", [{ a: 0n }, null])).toEqual([
    { a: "1970-01-01T00:00:00Z", toString: null },
    null
  ])
})

it("every cell that a sink is tried with becomes what JSON text can say", () => {
  for (const row of special) {
    for (const { name, type } of everything.columns) {
      const json = CellJson.ofCell(type)(row[name])
      expect(JSON.parse(JSON.stringify(json))).toEqual(json)
    }
  }
})

it("a value that holds itself ends", () => {
  const itself: Record<string, unknown> = { n: 1 }
  Object.assign(itself, { left: itself, right: [itself, itself] })

  expect(CellJson.ofAnything(itself)).toEqual({ n: 1, left: "...", right: ["...", "..."] })
  expect(CellJson.ofAnything([itself["n"], [1], [1]])).toEqual([1, [1], [1]])
})
