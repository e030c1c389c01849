// Copied by `npm run docs` from docs/reference/api/connectors-memory.md. Do not edit.
import * as Schema from "effect/Schema"
import { Database, Options, connector, memory } from "../../../connectors/memory/index.ts"
import { rows, run } from "../../../src/index.ts"

{
  console.log(Schema.decodeUnknownSync(Options)({ name: "preview" }).name) // "preview"
}
{
  console.log(connector.sinks.map(({ type }) => type)) // ["memory"]
}
{
  await run({ source: rows([{ id: 1 }], { table: "numbers" }), sinks: { out: memory.with({ name: "test" }) } })
  console.log(Database.rows("test", "numbers").length) // 1
}
{
  console.log(Database.read("empty").tables.size) // 0
}
{
  await run({ source: rows([{ id: 1 }], { table: "numbers" }), sinks: { out: memory.with({ name: "gone" }) } })
  Database.remove("gone")
  console.log(Database.rows("gone", "numbers").length) // 0
}
{
  console.log(Database.rows("empty", "numbers")) // []
}
