import * as d from "@duckdb/node-api"

const i = await d.DuckDBInstance.create(process.argv[2])
const c = await i.connect()
for (const q of process.argv.slice(3)) {
  const r = await c.runAndReadAll(q)
  console.log(JSON.stringify(r.getRowObjectsJson()).slice(0, 3000))
}
