// Copied by `npm run docs` from docs/reference/api/Column.md. Do not edit.
import * as Schema from "effect/Schema"
import { Column, Table } from "../../../src/index.ts"

{
  const tags: Column.ColumnType = { _tag: "LIST", of: { name: "item", type: { _tag: "VARCHAR" }, nullable: false } }
  console.log(Column.toSql(tags)) // "VARCHAR[]"
}
{
  const people = Table.make({ name: "people", description: "people", schema: Schema.Struct({ born: Column.Day }) })
  console.log(people.columns[0]?.type._tag) // "DATE"
}
{
  const schema = Schema.Struct({ price: Column.Decimal(10, 2) })
  const products = Table.make({ name: "products", description: "products of a shop", schema })
  console.log(products.columns[0]?.type) // { _tag: "DECIMAL", precision: 10, scale: 2 }
}
{
  const visits = Table.make({ name: "visits", description: "visits", schema: Schema.Struct({ at: Column.Timestamp }) })
  console.log(visits.columns[0]?.type._tag) // "TIMESTAMP"
}
{
  const schema = Schema.Struct({ price: Column.described(Schema.Number, "the price in euros") })
  const products = Table.make({ name: "products", description: "one row per product", schema })
  console.log(products.columns[0]?.description) // "the price in euros"
}
{
  console.log(Column.quote('the "name"')) // "the ""name"""
}
{
  console.log(Column.timestampFromMillis(Date.UTC(2026, 0, 1))) // 1767225600000000n
}
{
  console.log(Column.toSql({ _tag: "DECIMAL", precision: 10, scale: 2 })) // "DECIMAL(10, 2)"
}
