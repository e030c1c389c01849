// Copied by `npm run docs` from docs/reference/api/Owner.md. Do not edit.
import * as Schema from "effect/Schema"
import { Owner, Table } from "../../../src/index.ts"

{
  const table = Table.make({ name: "pages", description: "pages", schema: Schema.Struct({ url: Schema.String }) })
  const plan = { pipeline: "news", tables: [{ table, write: "append" as const }] }
  const held = () => ({ owner: "docs", shared: false })
  console.log(Owner.fault(plan, "my.duckdb", held)?.split("; ")[0]) // "table pages of my.duckdb belongs to the pipeline docs"
  console.log(Owner.fault({ ...plan, pipeline: "docs" }, "my.duckdb", held)) // undefined
}
{
  console.log(Owner.namesOf("docs@20260101T000000Z..20260102T000000Z")[0]) // "docs"
}
