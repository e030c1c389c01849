// Copied by `npm run docs` from docs/reference/api/connectors-sqlite.md. Do not edit.
import * as Schema from "effect/Schema"
import { Options, connector, sqlite } from "../../../connectors/sqlite/index.ts"
import { DatabaseSync } from "node:sqlite"
import { rows, run } from "../../../src/index.ts"

{
  console.log(Schema.decodeUnknownSync(Options)({ path: "./my.sqlite" }).path) // "./my.sqlite"
}
{
  console.log(connector.sinks.map(({ type }) => type)) // ["sqlite"]
}
{
  const db = sqlite.with({ path: "./numbers.sqlite", write: "merge" })
  const load = (name: string) => run({ source: rows([{ id: 1, name }], { table: "numbers", key: "id" }), sinks: { db } })
  await load("uno")
  await load("one")
  const found = new DatabaseSync("numbers.sqlite").prepare("SELECT id, name FROM numbers").all()
  console.log(found.map(({ id, name }) => `${id} ${name}`)) // ["1 one"]
}
