// Copied by `npm run docs` from docs/reference/api/Backfill.md. Do not edit.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Backfill, Interval, Journals, Pipeline, Stages, rows } from "../../../src/index.ts"
import { memory } from "../../../connectors/memory/index.ts"

{
  const sinks = { out: memory.with({ name: "halves" }) }
  const of = ({ start }: Interval.Interval) =>
    Pipeline.make({ name: "halves", source: rows([{ start }], { table: "halves" }), sinks })
  const load = (start: number, end: number) =>
    Backfill.run(of({ start, end }), [{ start, end }], {
      pipelineOf: (interval) => Effect.succeed(of(interval)),
      again: false,
      concurrency: 1,
      onEnd: () => Effect.void
    })
  const overlapping = Effect.andThen(load(0, 3_600_000), Effect.flip(load(1_800_000, 5_400_000)))
  const parts = Layer.mergeAll(Journals.layerTemporary, Stages.layer)
  console.log((await Effect.runPromise(Effect.provide(overlapping, parts)))._tag) // "BackfillError"
}
{
  const days = Interval.split(Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 3), { millis: 86_400_000 }) ?? []
  const sinks = { out: memory.with({ name: "visits" }) }
  const of = ({ start }: Interval.Interval) =>
    Pipeline.make({ name: "visits", source: rows([{ day: new Date(start) }], { table: "visits" }), sinks })
  const statuses: Array<string> = []
  const options: Backfill.Options<never, never, never> = {
    pipelineOf: (interval) => Effect.succeed(of(interval)),
    again: false,
    concurrency: 1,
    onEnd: ({ rows, status }) => Effect.sync(() => statuses.push(`${status} ${rows["visits"]}`))
  }
  const loading = Backfill.run(of({ start: 0, end: 0 }), days, options)
  await Effect.runPromise(Effect.provide(loading, Layer.mergeAll(Journals.layerTemporary, Stages.layer)))
  console.log(statuses) // ["done 1", "done 1"]
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
    onEnd: ({ status }) => Effect.log(status)
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
