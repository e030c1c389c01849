// Copied by `npm run docs` from docs/reference/api/Owner.md. Do not edit.
import { Owner } from "../../../src/index.ts"

{
  const why = Owner.fault({ pipeline: "news", tables: [] }, "./my.duckdb", () => undefined)
  console.log(why) // undefined
}
{
  console.log(Owner.namesOf("docs@20260101T000000Z..20260102T000000Z")[0]) // "docs"
}
