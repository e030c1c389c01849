// Copied by `npm run docs` from docs/reference/api/connectors-file.md. Do not edit.
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Options, connector, file, fileStore } from "../../../connectors/file/index.ts"
import { readFile } from "node:fs/promises"
import { rows, run } from "../../../src/index.ts"

{
  console.log(Schema.decodeUnknownSync(Options)({ path: "./out", format: "csv" }).format) // "csv"
}
{
  console.log(connector.stores.map(({ scheme }) => scheme)) // ["file"]
}
{
  const out = file.with({ path: "./csv", format: "csv" })
  await run({ source: rows([{ id: 1, name: "one" }], { table: "numbers" }), sinks: { out } })
  console.log((await readFile("./csv/numbers.csv", "utf8")).split("\n")[0]) // "id,name,_run_id"
}
{
  const objects = Effect.flatMap(fileStore.open("./out"), ({ list }) => list("lake/"))
  console.log((await Effect.runPromise(objects)).length) // 0
}
