// Copied by `npm run docs` from docs/reference/api/Step.md. Do not edit.
import { rows, run, type Step } from "../../../src/index.ts"
import { memory } from "../../../connectors/memory/index.ts"

{
  const steps: ReadonlyArray<Step.Step> = [{ where: "age >= 18" }, { derive: { decade: "age // 10" } }]
  await run({ source: rows([{ age: 36 }], { table: "people" }), sinks: { out: memory.with({ name: "adults" }) }, steps })
}
