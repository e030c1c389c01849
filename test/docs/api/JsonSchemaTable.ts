// Copied by `npm run docs` from docs/reference/api/JsonSchemaTable.md. Do not edit.
import * as Effect from "effect/Effect"
import { JsonSchemaTable } from "../../../src/index.ts"

{
  const { table } = JsonSchemaTable.make({
    name: "products",
    schema: { type: "object", properties: { name: { type: "string" } }, additionalProperties: false }
  })
  console.log(table.columns.map(({ name }) => name)) // ["name"]
}
{
  const products = JsonSchemaTable.make({ name: "p", schema: { type: "object", properties: { name: { type: "string" } } } })
  const read = await Effect.runPromise(JsonSchemaTable.reader(products))
  console.log(read({ name: "lamp" })._tag, read({ name: 1 })._tag) // "Success" "Failure"
}
{
  const schema = { type: "array", items: { type: "object", properties: { name: { type: "string" } } } }
  const table = JsonSchemaTable.make({ name: "p", schema })
  console.log(JsonSchemaTable.rowsIn(table, [{ name: "lamp" }, { name: "rug" }])) // [{ name: "lamp" }, { name: "rug" }]
}
