import { expect, it } from "vitest"
import type { ColumnType } from "#engine/Column"
import * as RowTable from "#engine/RowTable"
import * as Sink from "#engine/Sink"
import { pages } from "#testing/specimens"

const stored = { columns: pages.columns, rows: [] }
const history = { columns: [...pages.columns, ...Sink.historyColumns], rows: [] }

it("a history is written by scd2 and replace, and by nothing else", () => {
  for (const write of ["append", "merge"] as const) {
    expect(RowTable.fault({ table: pages, write }, history, true)).toContain("table pages of the database is a history")
  }
  for (const write of ["scd2", "replace"] as const) {
    expect(RowTable.fault({ table: pages, write }, history, true)).toBeUndefined()
  }
})

it("a table with several rows of one key does not become a history", () => {
  const rows = ["/a", "/b"].map((url) => ({ url }))
  expect(RowTable.fault({ table: pages, write: "scd2" }, { ...stored, rows }, true)).toBeUndefined()
  expect(RowTable.fault({ table: pages, write: "scd2" }, { ...stored, rows: [...rows, ...rows] }, true)).toContain(
    "several rows of one key"
  )
})

it("a table that lacks the key is not merged into without it", () => {
  const lacking = { columns: pages.columns.slice(1), rows: [] }
  expect(RowTable.fault({ table: pages, write: "merge" }, lacking, false)).toContain("has no column url")
  expect(RowTable.fault({ table: pages, write: "merge" }, lacking, true)).toBeUndefined()
})

it("a cell that a narrower column of the table does not take is refused with the name of that column", () => {
  const column = (name: string, tag: "BIGINT" | "VARCHAR") => ({ name, type: { _tag: tag }, nullable: true })
  const table = { name: "t", description: "", key: [], columns: [column("n", "BIGINT"), column("word", "VARCHAR")] }
  const there = { columns: [column("n", "BIGINT"), column("word", "BIGINT")], rows: [] }
  const plan = { pipeline: "p", runId: "run-1", directory: ".", evolve: false, tables: [] }
  const stage = RowTable.stage({ table, write: "append" }, there, plan)

  expect(() => RowTable.add(stage, [{ n: 1, word: "one" }], 1)).toThrow('column word: "one" is not a valid BIGINT')
  expect(stage.staged).toEqual([])
})

it.each([
  ["two texts of one decimal are no change", { _tag: "DECIMAL", precision: 10, scale: 2 }, "3", "3.00", 0],
  ["a number without end that becomes null is a change", { _tag: "DOUBLE" }, Number.POSITIVE_INFINITY, null, 1],
  ["a number that is none and becomes null is a change", { _tag: "DOUBLE" }, Number.NaN, null, 1]
] as const)("%s", (_, type, stored, coming, written) => {
  const column = (name: string, type: ColumnType) => ({ name, type, nullable: true })
  const columns = [column("id", { _tag: "BIGINT" }), column("price", type)]
  const planned = { table: { name: "t", description: "", key: ["id"], columns }, write: "merge" as const }
  const plan = { pipeline: "p", runId: "run-2", directory: ".", evolve: true, tables: [planned] }
  const there = { columns, rows: [{ id: 1, price: stored }] }
  const stage = RowTable.stage(planned, there, plan)
  RowTable.add(stage, [{ id: 1, price: coming }], 1)
  const run = { runId: "run-2", pipeline: "p", startedAt: 0n, committedAt: 0n, facts: {}, rows: {} }
  const what = { checkpoint: { runId: "run-2", state: null }, run, checks: [], complete: true }

  const { results } = RowTable.commit([stage], new Map([["t", there]]), what, { isFirst: true })

  expect(results["t"]).toMatchObject({ written, unchanged: 1 - written })
})
