// Copied by `npm run docs` from docs/reference/api/Pipeline.md. Do not edit.
import { Pipeline, rows } from "../../../src/index.ts"
import { memory } from "../../../connectors/memory/index.ts"
import { duckdb } from "../../../connectors/duckdb/index.ts"
import { crawl } from "../../../connectors/webdata/index.ts"

{
  const journal: Partial<Pipeline.JournalOptions> = { keepMillis: 24 * 3_600_000 }
  const source = rows([{ id: 1 }], { table: "people" })
  console.log(Pipeline.make({ name: "p", source, sinks: { out: memory.with({ name: "p" }) }, journal }).journal.bytes)
}
{
  const table: Pipeline.TableOptions = { name: "members", key: ["id"], contract: "freeze" }
  const source = rows([{ id: 1 }], { table: "people" })
  console.log(Pipeline.make({ name: "members", source, sinks: { out: memory.with({ name: "m" }) }, table }).table.name)
}
{
  const docs = Pipeline.make({
    name: "docs",
    source: crawl.with({ url: "https://your.site", limit: 50 }),
    sinks: { warehouse: duckdb.with({ path: "./docs.duckdb" }) },
    steps: [{ where: "status_code = 200" }],
    checks: [{ rows: { min: 10 } }]
  })
  console.log(docs.name)
}
