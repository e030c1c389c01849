// Copied by `npm run docs` from docs/from-dlt.md. Do not edit.
// orders.ts
import { rows, run, sql } from "../../../src/index.ts"
import { duckdb } from "../../../connectors/duckdb/index.ts"

const db = duckdb.with({ path: "./orders.duckdb", write: "merge" })
const orders = [{ id: 1, customer: { name: "Ada" }, items: [{ sku: "A", count: 2 }] }]
await run({ source: rows(orders, { table: "orders", key: "id" }), sinks: { db } })
console.log(await sql(db, "SELECT id, customer.name, items[1].sku AS first FROM orders"))
