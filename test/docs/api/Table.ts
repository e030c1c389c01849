// Copied by `npm run docs` from docs/reference/api/Table.md. Do not edit.
import * as Schema from "effect/Schema"
import { Table } from "../../../src/index.ts"

{
  const people = Table.make({ name: "people", description: "people", schema: Schema.Struct({ id: Schema.Int }) })
  console.log(Table.batch(people, [{ id: 1 }])._tag) // "Batch"
}
{
  const people = Table.make({ name: "people", description: "people", schema: Schema.Struct({ id: Schema.Int }) })
  console.log(Table.batches(people, []), Table.batches(people, [{ id: 1 }]).length) // [] 1
}
{
  const people = Table.make({
    name: "people",
    description: "one row per person",
    key: ["id"],
    schema: Schema.Struct({ id: Schema.Int, name: Schema.NullOr(Schema.String) })
  })
  console.log(people.columns.map(({ name, nullable }) => [name, nullable])) // [["id", false], ["name", true]]
}
