import { describe, expect, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { remainingRows } from "#engine/remainingRows"

type ReplacedTable = Parameters<typeof remainingRows>[0]

import * as Table from "#engine/Table"

const people = Table.make({
  name: "people",
  description: "people",
  key: ["id"],
  schema: Schema.Struct({ id: Schema.Int })
})
const column = (name: string) =>
  ({ name, sql: "BIGINT", type: { _tag: "BIGINT" }, nullable: true, hasDefault: false }) as const

const replaced = (what: Partial<ReplacedTable> = {}): ReplacedTable => ({
  table: people,
  plan: { pipeline: "p", runId: "r", directory: "/", evolve: true, tables: [] },
  complete: true,
  goesOn: false,
  stored: [column("id"), column("_run_id")],
  hasRunId: true,
  literal: (text) => `'${text}'`,
  isWritten: () => "written",
  isSaid: () => "said",
  isRetained: undefined,
  parent: undefined,
  ...what
})
const parent = (rows: number): ReplacedTable["parent"] => ({
  remaining: { isThere: true, rows, kept: rows },
  isNew: () => "of a new one",
  isOld: () => "of an old one",
  isStaying: () => "of one that stays"
})

describe("remainingRows", () => {
  it("a complete run leaves none but those of keys that it retains and did not write", () => {
    expect(remainingRows(replaced())).toBeUndefined()
    expect(remainingRows(replaced({ isRetained: () => "retained" }))?.stays).toBe("false OR (retained AND NOT written)")
  })

  it("a run that is not complete leaves what it did not write, by the key or by all that a row says", () => {
    expect(remainingRows(replaced({ complete: false }))?.stays).toBe("false OR NOT written")
    const keyless = { ...people, key: [] }
    expect(remainingRows(replaced({ complete: false, table: keyless }))?.stays).toBe("false OR NOT said")
  })

  it("children stay with a row that stays, and those of nobody unless their parent comes", () => {
    expect(remainingRows(replaced({ parent: parent(0) }))).toBeUndefined()
    expect(remainingRows(replaced({ parent: parent(1) }))?.stays).toBe("false OR of one that stays")
    expect(remainingRows(replaced({ complete: false, parent: parent(0) }))?.stays).toBe(
      "false OR (false OR (NOT of an old one AND NOT of a new one))"
    )
  })

  it("rows of other pipelines, and of earlier commits of the run, are not the run's to remove", () => {
    const plan = { ...replaced().plan, shared: true }
    const stored = [column("id"), column("_pipeline"), column("_run_id")]
    expect(remainingRows(replaced({ plan, stored }))).toEqual({
      stays: "coalesce(o._pipeline IS DISTINCT FROM 'p', false) OR false",
      isOthers: "coalesce(o._pipeline IS DISTINCT FROM 'p', false)"
    })
    expect(remainingRows(replaced({ goesOn: true }))?.isOthers).toBe("coalesce(o._run_id = 'r', false)")
  })

  it("what a run left that is written again makes way", () => {
    const again = { ...replaced().plan, again: true }
    expect(remainingRows(replaced({ complete: false, plan: again }))?.stays).toBe(
      "false OR (NOT written AND o._run_id IS DISTINCT FROM 'r')"
    )
  })
})
