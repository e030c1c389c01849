// Copied by `npm run docs` from docs/reference/api/Engine.md. Do not edit.
import * as Effect from "effect/Effect"
import { Engine, Pipeline, Run, rows } from "../../../src/index.ts"
import { memory } from "../../../connectors/memory/index.ts"
import { duckdb } from "../../../connectors/duckdb/index.ts"

{
  const started = Engine.run("no-such-file.yaml").pipe(
    Effect.map(({ status }): string => status),
    Effect.catchTag("StartError", ({ message }) => Effect.succeed(message))
  )
  console.log(await Effect.runPromise(started))
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
  const counted = Engine.sql(duckdb.with({ path: "./people.duckdb" }), "SELECT count(*) AS people FROM people").pipe(
    Effect.catchTag("SinkError", ({ message }) => Effect.succeed([{ message }]))
  )
  console.log(await Effect.runPromise(counted))
}
