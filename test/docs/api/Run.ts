// Copied by `npm run docs` from docs/reference/api/Run.md. Do not edit.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Journals, Pipeline, Run, Stages, rows, run } from "../../../src/index.ts"
import { memory } from "../../../connectors/memory/index.ts"

{
  const lost = Effect.fail(new Run.AccountingError({ message: "10 discovered, 9 accounted for" })).pipe(
    Effect.catchTag("AccountingError", ({ message }) => Effect.succeed(message))
  )
  console.log(await Effect.runPromise(lost)) // "10 discovered, 9 accounted for"
}
{
  console.log(new Run.ContractError({ message: "table pages is frozen, and column lang is new" })._tag) // "ContractError"
}
{
  console.log(new Run.CountError({ message: "warehouse wrote 9 of 10 rows; compare it" })._tag) // "CountError"
}
{
  const keyless = rows([{ id: 1 }], { table: "numbers" })
  const error: unknown = await run({ source: keyless, sinks: { out: memory.with({ name: "k", write: "merge" }) } }).catch(
    (error: unknown) => error
  )
  console.log(error instanceof Error && error.message) // "table numbers has no key to merge by; give it one, or append"
}
{
  const source = rows([{ id: 1 }], { table: "numbers" })
  const pipeline = Pipeline.make({ name: "held", source, sinks: { out: memory.with({ name: "held" }) } })
  const twice = Effect.flatMap(Run.run(pipeline), ({ runId }) => Effect.flip(Run.commit(pipeline, runId)))
  const parts = Layer.mergeAll(Journals.layerTemporary, Stages.layer)
  console.log((await Effect.runPromise(Effect.provide(twice, parts)))._tag) // "PlanError"
}
{
  const source = rows([{ id: 1 }], { table: "numbers" })
  const pipeline = Pipeline.make({ name: "given_up", source, sinks: { out: memory.with({ name: "given_up" }) } })
  const refused = Effect.flatMap(Run.run(pipeline), ({ runId }) => Effect.flip(Run.drop(pipeline, runId)))
  const parts = Layer.mergeAll(Journals.layerTemporary, Stages.layer)
  console.log((await Effect.runPromise(Effect.provide(refused, parts)))._tag) // "PlanError"
}
{
  const source = rows([{ id: 1 }], { table: "numbers" })
  const pipeline = Pipeline.make({ name: "again", source, sinks: { out: memory.with({ name: "again" }) } })
  const twice = Effect.flatMap(Run.run(pipeline), ({ runId }) => Run.replay(pipeline, runId))
  const parts = Layer.mergeAll(Journals.layerTemporary, Stages.layer)
  console.log((await Effect.runPromise(Effect.provide(twice, parts))).status) // "done"
}
{
  const source = rows([{ id: 1 }], { table: "numbers" })
  const pipeline = Pipeline.make({ name: "n", source, sinks: { out: memory.with({ name: "n" }) } })
  const report = await Effect.runPromise(
    Effect.provide(Run.run(pipeline), Layer.mergeAll(Journals.layerTemporary, Stages.layer))
  )
  console.log(report.status, report.rows) // "done" { numbers: 1, numbers__rejects: 0 }
}
