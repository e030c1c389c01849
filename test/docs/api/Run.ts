// Copied by `npm run docs` from docs/reference/api/Run.md. Do not edit.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Journals, Pipeline, Run, Stages, rows } from "../../../src/index.ts"
import { memory } from "../../../connectors/memory/index.ts"

{
  const retried = Effect.fail(new Run.AccountingError({ message: "10 discovered, 9 accounted for" })).pipe(
    Effect.catchTag("AccountingError", ({ message }) => Effect.succeed(message))
  )
  console.log(await Effect.runPromise(retried))
}
{
  console.log(new Run.ContractError({ message: "table pages is frozen, and column lang is new" })._tag) // "ContractError"
}
{
  console.log(new Run.CountError({ message: "warehouse wrote 9 of 10 rows; compare it" })._tag) // "CountError"
}
{
  const isPlan = (error: unknown): boolean => error instanceof Run.PlanError
  console.log(isPlan(new Run.PlanError({ message: "table pages has no key to merge by" }))) // true
}
{
  const loadAnyway = <R>(pipeline: Pipeline.Pipeline<R>, runId: string) =>
    Run.commit(pipeline, runId, { watch: ({ phase }) => Effect.log(phase) })
  console.log(loadAnyway.name)
}
{
  const giveUp = <R>(pipeline: Pipeline.Pipeline<R>, runId: string) => Run.drop(pipeline, runId)
  console.log(giveUp.name)
}
{
  const decodeAgain = <R>(pipeline: Pipeline.Pipeline<R>, runId: string) => Run.replay(pipeline, runId)
  console.log(decodeAgain.name)
}
{
  const source = rows([{ id: 1 }], { table: "numbers" })
  const pipeline = Pipeline.make({ name: "n", source, sinks: { out: memory.with({ name: "n" }) } })
  const report = await Effect.runPromise(
    Effect.provide(Run.run(pipeline), Layer.mergeAll(Journals.layerTemporary, Stages.layer))
  )
  console.log(report.status, report.rows) // "done" { numbers: 1, numbers__rejects: 0 }
}
