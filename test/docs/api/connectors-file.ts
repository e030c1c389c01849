// Copied by `npm run docs` from docs/reference/api/connectors-file.md. Do not edit.
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Options, connector, file, fileSink } from "../../../connectors/file/index.ts"
import { rows, run } from "../../../src/index.ts"

{
  console.log(Schema.decodeUnknownSync(Options)({ path: "./out", format: "csv" }).format) // "csv"
}
{
  console.log(connector.stores.map(({ scheme }) => scheme)) // ["file"]
}
{
  const objects = Effect.flatMap(file.open("./out"), ({ list }) => list("lake/"))
  console.log((await Effect.runPromise(objects)).length) // 0
}
{
  await run({ source: rows([{ id: 1 }], { table: "numbers" }), sinks: { out: fileSink.with({ path: "./out", format: "csv" }) } })
}
