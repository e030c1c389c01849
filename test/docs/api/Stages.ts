// Copied by `npm run docs` from docs/reference/api/Stages.md. Do not edit.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Journals, Pipeline, Run, Stages, rows } from "../../../src/index.ts"
import { memory } from "../../../connectors/memory/index.ts"

{
  const source = rows([{ id: 1 }, { id: 2 }], { table: "numbers" })
  const sinks = { out: memory.with({ name: "larger" }) }
  const pipeline = Pipeline.make({ name: "larger", source, sinks, steps: [{ where: "id > 1" }] })
  const parts = Layer.mergeAll(Journals.layerTemporary, Stages.layer)
  const report = await Effect.runPromise(Effect.provide(Run.run(pipeline), parts))
  console.log(report.rows) // { numbers: 1, numbers__rejects: 0 }
}
