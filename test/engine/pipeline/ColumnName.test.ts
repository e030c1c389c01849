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

it("names that are one column are numbered, and a name that is a column name already keeps it", () => {
  expect(ColumnName.fromNames(["unitPrice", "unit-price", "unit_price"])).toEqual([
    "unit_price_2",
    "unit_price_3",
    "unit_price"
  ])
  expect(ColumnName.fromNames(["_runId", "url"], ["_run_id", "URL"])).toEqual(["_run_id_2", "url_2"])
  expect(ColumnName.fromNames(["x".repeat(80), "x".repeat(90)])).toEqual(["x".repeat(63), `${"x".repeat(59)}_2`])
  expect(ColumnName.distinct(["A", "a", "a_2"])).toEqual(["A", "a_2", "a_2_2"])
})
