// Copied by `npm run docs` from docs/reference/api/RowTable.md. Do not edit.
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { RowTable, Table, type Sink } from "../../../src/index.ts"

{
  const table = Table.make({ name: "t", description: "t", schema: Schema.Struct({ id: Schema.Int }) })
  const planned = { table, write: "append" as const }
  const plan = { pipeline: "p", runId: "run-1", directory: ".", evolve: true, tables: [planned] }
  const stage = RowTable.stage(planned, undefined, plan)
  RowTable.add(stage, [{ id: 1 }, { id: 2 }], 1)
  console.log(stage.staged.length) // 2
}
{
  const schema = Schema.Struct({ id: Schema.Int, name: Schema.String })
  const planned = { table: Table.make({ name: "t", description: "t", key: ["id"], schema }), write: "merge" as const }
  const plan: Sink.Plan = { pipeline: "p", runId: "run-1", directory: ".", evolve: true, tables: [planned] }
  const stored: RowTable.RowTable = { columns: planned.table.columns, rows: [{ id: 1, name: "uno" }] }
  const stage = RowTable.stage(planned, stored, plan)
  RowTable.add(stage, [{ id: 1, name: "one" }], 1)
  const run = { runId: "run-1", pipeline: "p", startedAt: 0n, committedAt: 0n, facts: {}, rows: {} }
  const what = { checkpoint: { runId: "run-1", state: null }, run, checks: [], complete: true }
  const { tables } = RowTable.commit([stage], new Map([["t", stored]]), what, { isFirst: true })
  console.log(tables.get("t")?.rows) // [{ id: 1, name: "one" }]
}
{
  const table = Table.make({ name: "t", description: "t", key: ["id"], schema: Schema.Struct({ id: Schema.Int }) })
  const twice: RowTable.RowTable = { columns: table.columns, rows: [{ id: 1 }, { id: 1 }] }
  console.log(RowTable.fault({ table, write: "merge" }, twice, true)) // undefined
  console.log(RowTable.fault({ table, write: "scd2" }, twice, true)?.split(", ")[0]) // "table t of the database has several rows of one key"
}
{
  const of = (n: Schema.Top) => Table.make({ name: "t", description: "t", schema: Schema.Struct({ n }) })
  const stored = new Map([["t", { columns: of(Schema.BigInt).columns, rows: [{ n: 2n ** 53n + 1n }] }]])
  const tables = [{ table: of(Schema.Finite), write: "append" as const }]
  const plan: Sink.Plan = { pipeline: "p", runId: "run-1", directory: ".", evolve: true, tables }
  console.log(Effect.runSync(RowTable.planFor(stored, plan)).tables[0]?.table.columns[0]?.type._tag) // "JSON"
}
{
  const table = Table.make({ name: "t", description: "t", schema: Schema.Struct({ id: Schema.Int, new: Schema.Int }) })
  const planned = { table, write: "append" as const }
  const plan = { pipeline: "p", runId: "run-1", directory: ".", evolve: true, tables: [planned] }
  const stored: RowTable.RowTable = { columns: table.columns.slice(0, 1), rows: [{ id: 1 }] }
  const { before, columns } = RowTable.stage(planned, stored, plan)
  console.log(before?.map(({ name }) => name), columns.map(({ name }) => name)) // ["id"] ["id", "new"]
}
