import * as Schema from "effect/Schema"
import { expect, it } from "vitest"
import * as Column from "#engine/Column"
import * as Table from "#engine/Table"

it("every column makes a version but the key, what describes the visit, and Millrace's own", () => {
  const sales = Table.make({
    name: "sales",
    description: "sales by year",
    key: ["id"],
    visit: { seen: true },
    schema: Schema.Struct({
      id: Schema.Int,
      _2024: Schema.Int,
      _other: Schema.Unknown,
      seen: Schema.Int,
      _fetched_at: Column.Timestamp,
      _source_url: Schema.String,
      _job_id: Schema.String,
      _run_id: Schema.String,
      _pipeline: Schema.String
    })
  })

  expect(Table.fingerprintOf(sales, undefined)).toEqual(["_2024", "_other"])
  expect(Table.fingerprintOf(sales, ["_job_id"])).toEqual(["_job_id"])
})
