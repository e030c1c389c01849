// Copied by `npm run docs` from docs/reference/api/Connector.md. Do not edit.
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Connector, PipelineFile, Sink } from "../../../src/index.ts"
import { memory } from "../../../connectors/memory/index.ts"

{
  const connector = Connector.make({ name: "memory", sinks: [Connector.lazy("memory", async () => memory)] })
  console.log(connector.sinks.map(({ type }) => type)) // ["memory"]
}
{
  const letters = Sink.simple({
    type: "letters",
    options: Schema.Struct({ address: Schema.String }),
    batch: (_, { rows }) => rows.length,
    commit: ({ address }) => `sent to ${address}`
  })
  const connector = Connector.make({ name: "letters", sinks: [letters] })
  const options = { connectors: [connector], env: {}, runDate: new Date(), runId: "1" }
  const text = "source: { type: crawl }\nsinks: { out: { type: letters, address: 1 } }"
  const { issues } = await Effect.runPromise(Effect.flip(PipelineFile.load("a.yaml", text, options)))
  console.log(connector.sources.length, issues.length) // 0 2
}
