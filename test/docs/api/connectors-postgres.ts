// Copied by `npm run docs` from docs/reference/api/connectors-postgres.md. Do not edit.
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Options, connector, postgres } from "../../../connectors/postgres/index.ts"
import { rows, run } from "../../../src/index.ts"

{
  console.log(Schema.is(Options)({})) // false
}
{
  console.log(connector.sinks.map(({ type }) => type)) // ["postgres"]
}
{
  const url = Redacted.make("postgres://localhost/warehouse")
  await run({ source: rows([{ id: 1 }], { table: "numbers" }), sinks: { db: postgres.with({ url, schema: "web" }) } })
}
