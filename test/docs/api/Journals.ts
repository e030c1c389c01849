// Copied by `npm run docs` from docs/reference/api/Journals.md. Do not edit.
import * as Effect from "effect/Effect"
import { Journal, Journals } from "../../../src/index.ts"

{
  const runs = Effect.flatMap(Journal.Journals, ({ look }) => look("docs", process.cwd()))
  for (const { state } of await Effect.runPromise(Effect.provide(runs, Journals.layer))) {
    console.log(state.run_id, state.status, new Date(state.started_at))
  }
}
{
  const runs = Effect.flatMap(Journal.Journals, ({ look }) => look("docs", process.cwd()))
  console.log(await Effect.runPromise(Effect.provide(runs, Journals.layerTemporary))) // []
}
