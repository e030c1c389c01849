import { describe, expect, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as CommitEvery from "#engine/CommitEvery"
import type * as Table from "#engine/Table"
import { lines, notes } from "../run/scripted.ts"

describe("how often a run commits", () => {
  it("is a number of rows, a time, or both in either order", () => {
    const isIt = Schema.is(CommitEvery.commitEvery)
    const said = ["10000 pages", "10,000 rows", "1 page", "10m", "1000 rows or 2 hours", "10m | 10,000 pages"]

    expect(said.filter((text) => !isIt(text))).toEqual([])
    expect(said.map(CommitEvery.parse)).toEqual([
      { rows: 10_000 },
      { rows: 10_000 },
      { rows: 1 },
      { millis: 600_000 },
      { rows: 1000, millis: 7_200_000 },
      { rows: 10_000, millis: 600_000 }
    ])
  })

  it("is nothing else", () => {
    const isIt = Schema.is(CommitEvery.commitEvery)
    const wrong = [
      "",
      "often",
      "0 pages",
      "10000",
      "0m",
      "10 pages, 10m",
      "10m or 20m",
      "5 rows or 6 pages",
      "1,00 rows"
    ]

    expect(wrong.filter((text) => isIt(text))).toEqual([])
  })

  it("is refused where something needs all rows of a run", () => {
    const of = (
      write: "append" | "merge" | "replace" | "scd2",
      more: Partial<Parameters<typeof CommitEvery.faultOf>[0]>
    ) =>
      CommitEvery.faultOf({
        tables: [notes, lines],
        table: {},
        steps: [],
        checks: [],
        sinks: { here: { writeOf: () => write } },
        ...more
      })

    expect(of("append", {})).toBeUndefined()
    expect(of("merge", { checks: [{ whole: "5%" }] })).toBeUndefined()
    expect(of("replace", {})).toMatchObject({ sink: "here", message: expect.stringContaining("write: replace") })
    expect(of("scd2", {})).toMatchObject({ sink: "here", message: expect.stringContaining("write: scd2") })
    expect(of("merge", { steps: [{ where: "id > 1" }] })?.message).toContain("cannot be used with steps")
    expect(of("merge", { checks: [{ not_null: "id" }] })?.message).toContain("the check id: a value in every row")
  })

  it("goes by the key that the user gives the main table", () => {
    const writeOf = ({ key, name }: Table.Table) => (name === "notes" && key.length === 0 ? "replace" : "merge")
    const of = (key?: ReadonlyArray<string>) =>
      CommitEvery.faultOf({
        tables: [{ ...notes, key: [] }],
        table: key === undefined ? {} : { key },
        steps: [],
        checks: [],
        sinks: { here: { writeOf } }
      })

    expect(of()).toMatchObject({ sink: "here" })
    expect(of(["id"])).toBeUndefined()
  })
})
