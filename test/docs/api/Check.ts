// Copied by `npm run docs` from docs/reference/api/Check.md. Do not edit.
import { rows, run, type Check } from "../../../src/index.ts"
import { memory } from "../../../connectors/memory/index.ts"

{
  const checks: ReadonlyArray<Check.Check> = [{ rows: { min: 1 } }, { not_null: ["name"] }]
  const source = rows([{ id: 1, name: null }], { table: "people", columns: { id: "BIGINT", name: "VARCHAR" } })
  const report = await run({ source, sinks: { out: memory.with({ name: "people" }) }, checks })
  console.log(report.status) // "held"
}
