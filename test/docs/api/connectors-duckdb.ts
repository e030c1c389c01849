// Copied by `npm run docs` from docs/reference/api/connectors-duckdb.md. Do not edit.
import * as Schema from "effect/Schema"
import { Options, connector, duckdb } from "../../../connectors/duckdb/index.ts"
import { rows, run } from "../../../src/index.ts"

{
  console.log(Schema.decodeUnknownSync(Options)({ path: "./my.duckdb" }).path) // "./my.duckdb"
}
{
  console.log(connector.sinks.map(({ type }) => type)) // ["duckdb"]
}
{
  const source = rows([{ id: 1 }], { table: "numbers", key: "id" })
  await run({ source, sinks: { db: duckdb.with({ path: "./numbers.duckdb", write: "merge" }) } })
}
