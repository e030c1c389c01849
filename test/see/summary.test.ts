import * as Option from "effect/Option"
import { expect, it } from "vitest"
import type * as Run from "#engine/Run"
import { summary } from "#see/summary"

const table = { received: 40, written: 35, unchanged: 5, superseded: 0, kept: 0 }
const many = Array.from({ length: 30 }, (_, at) => [`side_${at}`, at] as const)

const good: Run.Report = {
  pipeline: "shop",
  runId: "20261129T064928420Z-f3c107",
  startedAt: 0,
  durationMillis: 4300,
  resumed: false,
  caughtUp: [],
  before: [],
  once: undefined,
  parts: 0,
  alreadyDone: undefined,
  status: "done",
  served: ["db", "lake"],
  rows: { pages: 40, ...Object.fromEntries(many), pages__rejects: 0 },
  facts: { read: 40, without_rows: 2, filled: 80, missing: 0 },
  rejects: 0,
  rejected: {},
  accounting: Option.some({
    discovered: 43,
    loaded: 40,
    gone: 0,
    rejected: 0,
    failed: 2,
    blocked: 1,
    left: 0,
    dropped: 0
  }),
  wholeness: undefined,
  checks: [
    { check: "rows: at least 10", table: "pages", passed: true, found: "40 rows" },
    { check: "url: a value in every row", table: "pages", passed: true, found: "0 of 40 rows have no url" },
    { check: "url: a value in every row", table: "side_1", passed: true, found: "0 of 1 row have no url" },
    { check: "whole: at most 10% may be missing", table: "pages", passed: true, found: "40 of 40 were read" }
  ],
  warnings: [],
  commitResults: {
    db: { location: "/data/shop.duckdb", rows: {}, tables: { pages: table } },
    lake: { location: "/data/lake", rows: {}, tables: { pages: table }, bytes: 2048 }
  },
  failures: {}
}

it("a run ends with six lines: its state, its rows, the sum, its checks, where the rows are, and what to type next", () => {
  expect(summary(good, { file: "shop.yaml", vars: {} })).toBe(
    `shop: done in 4.3 s (run 20261129T064928420Z-f3c107)
  rows: pages 40 (35 written, 5 unchanged), side_1 1, side_2 2, side_3 3, side_4 4, side_5 5, side_6 6, side_7 7, 22 other tables 407
  discovered 43 = 40 loaded + 2 failed + 1 blocked; pages: 40 read = 38 with rows + 2 without a row; required values: 80 filled + 0 missing
  checks: 4 of 4 passed: rows: at least 10; url: a value in every row; side_1: url: a value in every row; and 1 more
  db: /data/shop.duckdb, lake: /data/lake (2 kB)
  next: millrace report shop.yaml, millrace explore shop.yaml
`
  )
})

it("a run whose rows lack values that they must have is partial, and says how many lack which, and that many are rejected", () => {
  const facts = { filled: 788, missing: 33, lacking_name: 5, lacking_module_identifier: 28, lacking_date: 0 }
  const report = { ...good, rows: { modules: 107, modules__rejects: 859 }, rejects: 859, facts, commitResults: {} }
  const [before, end] = summary(report, { file: "shop.yaml", vars: {} }).split("\n\n")

  expect(before).toContain(
    "shop: partial: 33 of 821 required values were not found: 28 without module_identifier, 5 without name"
  )
  expect(end).toContain("shop: partial in 4.3 s")
  expect(end).toContain(
    "required values: 788 filled + 33 missing (28 without module_identifier, 5 without name); 859 of 966 rows (89%) rejected"
  )
  expect(summary({ ...report, rejects: 1 }, { file: "shop.yaml", vars: {} })).not.toContain("1 of 108 rows")
  expect(summary({ ...report, status: "held" }, { file: "shop.yaml", vars: {} })).toContain("shop: held in")
})

it("what went wrong stands before the six lines, whole, and the next commands show the rows that were rejected", () => {
  const said = summary(
    {
      ...good,
      status: "held",
      resumed: true,
      before: [{ runId: "20261128T000000000Z-aaaaaa", rows: { pages: 3 } }],
      caughtUp: ["20261127T000000000Z-bbbbbb"],
      rejects: 2,
      rejected: { lake: 1 },
      warnings: [{ message: "slow", count: 3, first: "http://a.test/\u001b[31m" }],
      checks: [
        { check: "rows: at least 100", table: "pages", passed: false, found: "40 rows" },
        { check: "url: a value in every row", table: "pages", passed: true, found: "0 of 40 rows have no url" }
      ],
      commitResults: {}
    },
    { file: "my shop.yaml", vars: { day: "a secret" } }
  )
  const [before, end] = said.split("\n\n")

  expect(before?.split("\n")).toEqual([
    "shop: the same command also ended run 20261128T000000000Z-aaaaaa first, with rows: pages 3",
    "shop: before it, a sink that was behind loaded run 20261127T000000000Z-bbbbbb from the journal",
    "shop: warning: slow (3 times, first http://a.test/\\u001b[31m)",
    "shop: FAILED  rows: at least 100: 40 rows",
    "shop: passed  url: a value in every row: 0 of 40 rows have no url",
    "shop: lake: 1 row does not fit this sink: see millrace rejects list",
    "shop: 2 rows were rejected: millrace rejects list shows each with its reason"
  ])
  const lines = end?.trimEnd().split("\n") ?? []
  expect(lines.length).toBeLessThanOrEqual(6)
  expect(lines[0]).toBe("shop: held in 4.3 s (run 20261129T064928420Z-f3c107, resumed)")
  expect(lines).toContain("  checks: 1 of 2 failed, see above")
  expect(lines.at(-1)).toBe("  next: millrace report 'my shop.yaml' --var day=...")
  expect(said).not.toContain("secret")

  const rejected = summary({ ...good, rejects: 1 }, { file: "shop.yaml", vars: {} })
  expect(rejected).toMatch(/millrace explore shop\.yaml, millrace rejects list shop\.yaml\n$/)
})
