// Copied by `npm run docs` from docs/reference/api/connectors-duckdb.md. Do not edit.
import * as Schema from "effect/Schema"
import { Options, connector, duckdb } from "../../../connectors/duckdb/index.ts"
import { rows, run, sql } from "../../../src/index.ts"

{
  console.log(Schema.decodeUnknownSync(Options)({ path: "./my.duckdb" }).path) // "./my.duckdb"
}
{
  console.log(connector.sinks.map(({ type }) => type)) // ["duckdb"]
}
{
  const db = duckdb.with({ path: "./numbers.duckdb", write: "merge" })
  const load = (name: string) => run({ source: rows([{ id: 1, name }], { table: "numbers", key: "id" }), sinks: { db } })
  await load("uno")
  await load("one")
  console.log(await sql(db, "SELECT id, name FROM numbers")) // [{ id: 1, name: "one" }]
}
