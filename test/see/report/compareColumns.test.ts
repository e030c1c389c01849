import { expect, it } from "vitest"
import type { ColumnProfile } from "#engine/ColumnProfile"
import { compareColumns } from "#see/report/collectReport"

const profile = (more: Partial<ColumnProfile>): ColumnProfile => ({
  table: "pages",
  column: "title",
  type: "VARCHAR",
  rows: 100,
  filled: 100,
  distinct: 100,
  distinct_exact: true,
  length: { min: 1, mean: 40, max: 90 },
  min: null,
  max: null,
  mean: null,
  quantiles: null,
  top: null,
  ...more
})

const columns = [{ name: "title", type: { _tag: "VARCHAR" }, nullable: true }] as const
const compared = (now: Partial<ColumnProfile>, ...before: ReadonlyArray<Partial<ColumnProfile>>) =>
  compareColumns(
    "pages",
    columns,
    [profile(now)],
    before.map((one) => [profile(one)])
  )[0]

it("a column is unusual when it is outside of what three runs had", () => {
  const good = [{ filled: 95 }, { filled: 100 }, { filled: 97, length: { min: 1, mean: 50, max: 90 } }]

  expect(compared({ filled: 96 }, ...good)).toMatchObject({
    fill: 0.96,
    usual_fill: { min: 0.95, median: 0.97, max: 1 },
    unusual: []
  })
  expect(compared({ filled: 40, distinct: 40 }, ...good)?.unusual).toEqual([
    "fill below 0.95",
    "distinct values below 100"
  ])
  expect(compared({ length: { min: 1, mean: 61, max: 90 } }, ...good)?.unusual).toEqual(["mean length above 50"])
  expect(compared({ length: { min: 1, mean: 59, max: 90 } }, ...good)?.unusual).toEqual([])
})

it("two runs are too few to call anything unusual, and a run without rows has no fill", () => {
  expect(compared({ filled: 0 }, {}, {})).toMatchObject({ fill: 0, usual_fill: { min: 1 }, unusual: [] })
  expect(compared({ rows: 0, filled: 0, distinct: 0, length: null }, {}, {}, {})).toMatchObject({
    fill: null,
    unusual: []
  })
})
