// Copied by `npm run docs` from docs/library.md. Do not edit.
// people.ts
import { rows, run, sql } from "../../../src/index.ts"
import { duckdb } from "../../../connectors/duckdb/index.ts"

const people = [{ id: 1, name: "Ada", born: new Date("1815-12-10") }, { id: 2, name: "Grace" }]
const db = duckdb.with({ path: "./people.duckdb" })
await run({ source: rows(people, { table: "people", key: "id" }), sinks: { db } })
console.log(await sql(db, "SELECT name, born FROM people ORDER BY id"))
