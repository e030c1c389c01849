// Copied by `npm run docs` from docs/reference/api/Journal.md. Do not edit.
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Journal, Journals, rows, run } from "../../../src/index.ts"
import { memory } from "../../../connectors/memory/index.ts"

{
  const taken = new Journal.JournalError({ message: "process 4711 has the journal of docs; let it end first" })
  console.log(taken.message) // "process 4711 has the journal of docs; let it end first"
}
{
  const names = Effect.flatMap(Journal.Journals, ({ names }) => names("docs", process.cwd()))
  console.log(await Effect.runPromise(Effect.provide(names, Journals.layer))) // ["docs"]
}
{
  await run({ name: "kept", source: rows([{ id: 1 }], { table: "n" }), sinks: { out: memory.with({ name: "kept" }) } })
  const look = Effect.flatMap(Journal.Journals, ({ look }) => look("kept", process.cwd()))
  const [entry] = await Effect.runPromise(Effect.provide(look, Journals.layer))
  console.log(entry?.state.status, entry?.state.committed) // "done" ["out"]
}
{
  console.log(Schema.is(Journal.RunStatus)("held")) // true
}
