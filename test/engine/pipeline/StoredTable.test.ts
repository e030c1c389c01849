import { describe, expect, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as StoredTable from "#engine/StoredTable"
import * as Table from "#engine/Table"

const people = Table.make({
  name: "people",
  description: "people",
  key: ["id"],
  schema: Schema.Struct({ id: Schema.Int, name: Schema.NullOr(Schema.String) })
})
const column = (name: string, more: Partial<StoredTable.StoredColumn> = {}): StoredTable.StoredColumn => ({
  name,
  sql: "VARCHAR",
  type: { _tag: "VARCHAR" },
  nullable: true,
  hasDefault: false,
  ...more
})

describe("StoredTable", () => {
  it("a column of a type that no column of a run has is a fault, with both types", () => {
    const stored = [column("id"), column("NAME", { sql: "INTERVAL", type: undefined })]
    expect(StoredTable.fault({ table: people, write: "append" }, stored, true, false)).toBe(
      "column name of table people is INTERVAL in the database, which cannot hold the VARCHAR of this run; rename one, or alter the column"
    )
  })

  it("a table without its key cannot be merged into, unless it is empty", () => {
    const plan = { table: people, write: "merge" } as const
    expect(StoredTable.fault(plan, [column("name")], true, false)).toContain(
      "has no column id, which identifies its rows"
    )
    expect(StoredTable.fault(plan, [column("name")], true, true)).toBeUndefined()
    expect(StoredTable.fault({ ...plan, write: "append" }, [column("name")], true, false)).toBeUndefined()
  })

  it("a column is too strict if it refuses a null that rows of the run have", () => {
    const strict = { nullable: false }
    const stored = [
      column("id", strict),
      column("name", strict),
      column("born", strict),
      column("since", { ...strict, hasDefault: true }),
      column("is_current", strict),
      column("note")
    ]
    expect(StoredTable.tooStrict(people, stored)).toEqual(["name", "born"])
  })

  it("columns that a run does not write are those that are not of it, of the visit, or filled by themselves", () => {
    const stored = [column("id"), column("_run_id"), column("born"), column("since", { hasDefault: true })]
    expect(StoredTable.notWritten({ table: people, write: "merge" }, stored)).toEqual(["born"])
    expect(StoredTable.notWritten({ table: people, write: "scd2" }, stored)).toEqual([])
    expect(StoredTable.notWritten({ table: people, write: "scd2", absent: ["born"] }, stored)).toEqual(["born"])
  })
})
