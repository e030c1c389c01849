import { expect, it } from "vitest"
import * as ColumnName from "#engine/ColumnName"

it("a column name is snake_case, in letters of any script", () => {
  const names = { unitPrice: "unit_price", URLPath: "url_path", "a b--c": "a_b_c", HTML: "html", price2Go: "price2_go" }
  for (const [name, column] of Object.entries(names)) expect(ColumnName.snake(name)).toBe(column)
  expect(["_id", "$id", "@type", "2nd", "", "__proto__", "größeM", "价格"].map(ColumnName.snake)).toEqual([
    "_id",
    "id",
    "type",
    "_2nd",
    "unnamed",
    "_proto",
    "größe_m",
    "价格"
  ])
})

it("a name is no longer than Postgres takes, and is cut between characters", () => {
  expect(ColumnName.snake("x".repeat(80))).toBe("x".repeat(63))
  expect(ColumnName.snake("价".repeat(30))).toBe("价".repeat(21))
})

it("names that are one column are told apart by what they are, in whatever order they come", () => {
  const names = [
    "unitPrice",
    "unit-price",
    "unit_price",
    "Unit Price",
    "☂",
    "☃",
    `${"x".repeat(70)}a`,
    `${"x".repeat(70)}b`
  ]
  const columns = new Map(ColumnName.fromNames(names).map((column, at) => [names[at], column]))

  expect(columns.get("unit_price")).toBe("unit_price")
  expect(columns.get("unitPrice")).toMatch(/^unit_price_[a-z0-9]{7}$/)
  expect(new Set(columns.values()).size).toBe(names.length)
  for (const column of columns.values()) expect(column.length).toBeLessThanOrEqual(63)
  const backwards = names.toReversed()
  expect(ColumnName.fromNames(backwards)).toEqual(backwards.map((name) => columns.get(name)))
  // What is lost of a name does not depend on what else is there.
  for (const name of ["☂", "☃", `${"x".repeat(70)}b`]) {
    expect(ColumnName.fromNames([name])).toEqual([columns.get(name)])
  }
})

it("a name that is taken is numbered, and a name that is a column name already keeps it", () => {
  expect(ColumnName.fromNames(["_runId", "url"], ["_run_id", "URL"])).toEqual(["_run_id_2", "url_2"])
  expect(ColumnName.fromNames(["unnamed"])).toEqual(["unnamed"])
  expect(ColumnName.distinct(["A", "a", "a_2"])).toEqual(["A", "a_2", "a_2_2"])
})
