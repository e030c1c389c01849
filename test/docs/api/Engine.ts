// Copied by `npm run docs` from docs/reference/api/Engine.md. Do not edit.
import * as Effect from "effect/Effect"
import { Engine, Pipeline, Run, rows } from "../../../src/index.ts"
import { memory } from "../../../connectors/memory/index.ts"
import { duckdb } from "../../../connectors/duckdb/index.ts"

{
  const started = Effect.flip(Engine.run("no-such-file.yaml"))
  console.log((await Effect.runPromise(started)).message) // "no-such-file.yaml: cannot be read: there is no such file"
}
{
  const source = rows([{ id: 1 }], { table: "numbers" })
  const pipeline = Pipeline.make({ name: "n", source, sinks: { out: memory.with({ name: "n" }) } })
  console.log((await Effect.runPromise(Effect.provide(Run.run(pipeline), Engine.layer))).status) // "done"
}
{
  const source = rows([{ id: 1 }], { table: "numbers" })
  const report = await Effect.runPromise(Engine.run({ source, sinks: { out: memory.with({ name: "numbers" }) } }))
  console.log(report.status) // "done"
}
{
  const db = duckdb.with({ path: "./counted.duckdb" })
  const counted = Engine.run({ source: rows([{ id: 1 }, { id: 2 }], { table: "people" }), sinks: { db } }).pipe(
    Effect.andThen(Engine.sql(db, "SELECT count(*) AS people FROM people")),
    Effect.catchTag("SinkError", ({ message }) => Effect.succeed([{ message }]))
  )
  console.log(await Effect.runPromise(counted)) // [{ people: 2 }]
}
