// Copied by `npm run docs` from docs/reference/api/Connector.md. Do not edit.
import * as Schema from "effect/Schema"
import { Connector, Sink } from "../../../src/index.ts"

{
  const lines = Sink.simple({
    type: "lines",
    options: Schema.Struct({ prefix: Schema.String }),
    batch: ({ prefix }, { rows }) => rows.map((row) => `${prefix}${JSON.stringify(row)}`),
    commit: (_, { pieces }) => console.log(pieces.flat().join("\n"))
  })
  console.log(Connector.make({ name: "lines", sinks: [lines] }).sources.length) // 0
}
