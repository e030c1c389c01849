// Copied by `npm run docs` from docs/reference/api/Backfill.md. Do not edit.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Backfill, Interval, Journals, Pipeline, Stages, rows } from "../../../src/index.ts"
import { memory } from "../../../connectors/memory/index.ts"

{
  const isOverlap = (error: unknown) => error instanceof Backfill.BackfillError
  console.log(isOverlap(new Error("another"))) // false
}
{
  const options: Backfill.Options<never, never, never> = {
    pipelineOf: ({ end, start }) =>
      Effect.succeed(
        Pipeline.make({
          name: "orders",
          source: rows([{ from: new Date(start), to: new Date(end) }], { table: "orders" }),
          sinks: { out: memory.with({ name: "orders" }) }
        })
      ),
    again: false,
    concurrency: 4,
    told: ({ runId, status }) => Effect.log(status, runId)
  }
  console.log(options.concurrency)
}
{
  const sinks = { out: memory.with({ name: "orders" }) }
  const of = ({ start }: Interval.Interval) =>
    Pipeline.make({ name: "orders", source: rows([{ day: new Date(start) }], { table: "orders" }), sinks })
  const days = Interval.split(Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 3), { millis: 86_400_000 }) ?? []
  const loading = Backfill.run(of({ start: 0, end: 0 }), days, {
    pipelineOf: (interval) => Effect.succeed(of(interval)),
    again: false,
    concurrency: 1,
    told: ({ status }) => Effect.log(status)
  })
  const { tried } = await Effect.runPromise(
    Effect.provide(loading, Layer.mergeAll(Journals.layerTemporary, Stages.layer))
  )
  console.log(tried) // 2
}
{
  const source = rows([{ id: 1 }], { table: "orders" })
  const pipeline = Pipeline.make({ name: "orders", source, sinks: { out: memory.with({ name: "new" }) } })
  const days = Interval.split(Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 3), { millis: 86_400_000 }) ?? []
  const states = await Effect.runPromise(Effect.provide(Backfill.states(pipeline, days), Journals.layerTemporary))
  console.log(states.map(({ status }) => status)) // ["pending", "pending"]
}
