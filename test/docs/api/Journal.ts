// Copied by `npm run docs` from docs/reference/api/Journal.md. Do not edit.
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Journal, Journals } from "../../../src/index.ts"

{
  const looked = Effect.flatMap(Journal.Journals, ({ look }) => look("docs", "/no/such/folder")).pipe(
    Effect.catchTag("JournalError", ({ message }) => Effect.succeed(message)),
    Effect.provide(Journals.layer)
  )
  console.log(await Effect.runPromise(looked))
}
{
  const names = Effect.flatMap(Journal.Journals, ({ names }) => names("docs", process.cwd()))
  console.log(await Effect.runPromise(Effect.provide(names, Journals.layer))) // ["docs"]
}
{
  const secondsOf = ({ ended_at, started_at }: Journal.RunState) =>
    ended_at === null ? undefined : (ended_at - started_at) / 1000
  console.log(secondsOf.name)
}
{
  console.log(Schema.is(Journal.RunStatus)("held")) // true
}
