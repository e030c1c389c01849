// Copied by `npm run docs` from docs/library.md. Do not edit.
// names.ts
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Checkpoint, Journals, Pipeline, Run, Source, Stages, Table } from "../../../src/index.ts"
import { duckdb } from "../../../connectors/duckdb/index.ts"
import * as Layer from "effect/Layer"

const names = Table.make({
  name: "names",
  description: "one row per line of the file",
  key: ["name"],
  schema: Schema.Struct({ name: Schema.String, length: Schema.Int })
})

export const lines = Source.make({
  type: "lines",
  description: "the lines of a text file",
  options: Schema.Struct({ path: Schema.String.annotate({ description: "the file" }) }),
  state: Schema.Null,
  cursor: Schema.Null,
  incremental: false,
  tables: () => [names],
  fetch: ({ path }, { directory }) =>
    Stream.fromEffect(
      Effect.tryPromise({
        try: async () => ({
          kind: "file",
          at: Date.now(),
          text: await readFile(join(directory, path), "utf8"),
          cursor: null
        }),
        catch: (cause) =>
          new Source.SourceError({ source: "lines", message: `${path} cannot be read`, retryable: false, cause })
      })
    ),
  decode: (_, { text }) =>
    Effect.succeed([
      ...Table.batches(
        names,
        text
          .split("\n")
          .filter((line) => line !== "")
          .map((name) => ({ name, length: name.length }))
      ),
      Checkpoint.make(null)
    ])
})

await writeFile("names.txt", "Ada\nGrace\n")
const pipeline = Pipeline.make({
  name: "names",
  source: lines.with({ path: "names.txt" }),
  sinks: { warehouse: duckdb.with({ path: "./names.duckdb" }) }
})
const report = await Effect.runPromise(
  Run.run(pipeline).pipe(Effect.provide(Layer.mergeAll(Journals.layer, Stages.layer)))
)
console.log(report.rows)
