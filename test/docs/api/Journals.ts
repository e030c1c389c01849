// Copied by `npm run docs` from docs/reference/api/Journals.md. Do not edit.
import * as Effect from "effect/Effect"
import { Journal, Journals, rows, run } from "../../../src/index.ts"
import { memory } from "../../../connectors/memory/index.ts"

{
  await run({ name: "docs", source: rows([{ id: 1 }], { table: "n" }), sinks: { out: memory.with({ name: "docs" }) } })
  const runs = Effect.flatMap(Journal.Journals, ({ look }) => look("docs", process.cwd()))
  const [last] = await Effect.runPromise(Effect.provide(runs, Journals.layer))
  console.log(last?.state.status, last?.state.rows) // "done" { n: 1, n__rejects: 0 }
}
{
  const runs = Effect.flatMap(Journal.Journals, ({ look }) => look("docs", process.cwd()))
  console.log(await Effect.runPromise(Effect.provide(runs, Journals.layerTemporary))) // []
}
