// Copied by `npm run docs` from docs/three-ways.md. Do not edit.
// three.ts
import { run, sql } from "../../../src/index.ts"
import { duckdb } from "../../../connectors/duckdb/index.ts"
import { crawl } from "../../../connectors/webdata/index.ts"

const db = duckdb.with({ path: "./three.duckdb" })
const pipeline = { name: "three", source: crawl.with({ url: "https://docs.example.com", limit: 20 }), sinks: { db } }
const report = await run(pipeline)
console.log(report.status, report.rows)
console.log(await sql(db, "SELECT url, title FROM pages ORDER BY url LIMIT 5"))
