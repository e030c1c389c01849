// Copied by `npm run docs` from docs/reference/api/Step.md. Do not edit.
import { rows, run, type Step } from "../../../src/index.ts"
import { Database, memory } from "../../../connectors/memory/index.ts"

{
  const steps: ReadonlyArray<Step.Step> = [{ where: "age >= 18" }, { derive: { decade: "age // 10" } }]
  const source = rows([{ age: 12 }, { age: 36 }], { table: "people" })
  await run({ source, sinks: { out: memory.with({ name: "adults" }) }, steps })
  console.log(Database.rows("adults", "people").map(({ age, decade }) => [age, decade])) // [[36n, 3n]]
}
