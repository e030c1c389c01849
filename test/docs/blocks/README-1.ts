// Copied by `npm run docs` from README.md. Do not edit.
// people.ts
import { rows, run, sql } from "../../../src/index.ts"
import { duckdb } from "../../../connectors/duckdb/index.ts"

const db = duckdb.with({ path: "./people.duckdb" })
await run({ source: rows([{ id: 1, name: "Ada" }], { table: "people", key: "id" }), sinks: { db } })
console.log(await sql(db, "SELECT * FROM people"))
