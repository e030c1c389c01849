// Copied by `npm run docs` from docs/reference/api/connectors-webdata.md. Do not edit.
import { agent, connector, crawl, extract, monitor, searchGov, tables } from "../../../connectors/webdata/index.ts"
import { run, sql } from "../../../src/index.ts"
import { duckdb } from "../../../connectors/duckdb/index.ts"

{
  const source = agent.with({ prompt: "Find all open posts: title and salary", urls: ["https://your.site/jobs/"] })
  console.log(source.tables.map(({ name }) => name)) // ["agent_data", "agent_data__sources", "agent_runs", "agent_events", "agent_snapshots"]
}
{
  console.log(connector.sources.map(({ type }) => type)) // ["crawl", "extract", "agent", "search_gov", "monitor"]
}
{
  const db = duckdb.with({ path: "./site.duckdb" })
  await run({ source: crawl.with({ url: "https://your.site", limit: 3 }), sinks: { db } })
  console.log(await sql(db, "SELECT count(*) AS pages FROM pages")) // [{ pages: 3 }]
}
{
  const schema = { type: "object", properties: { name: { type: "string" }, sku: { type: "string" } } }
  const url = "https://your.site/shop/p/hemp-hand-lantern-charcoal-1"
  const db = duckdb.with({ path: "./lanterns.duckdb" })
  await run({ source: extract.with({ urls: [url], schema }), sinks: { db } })
  console.log(await sql(db, "SELECT name, sku FROM extracted")) // [{ name: "Hemp hand lantern, charcoal", sku: "NM-LA-1000" }]
}
{
  const source = monitor.with({ monitor: "prices", by: "crawl", targets: [{ type: "crawl", url: "https://your.site/shop/" }] })
  console.log(source.tables.map(({ name }) => name)) // ["pages", "page_changes", "monitor_checks"]
}
{
  const source = searchGov.with({ queries: ["fence height"], k: 5 })
  console.log(source.tables.map(({ key, name }) => [name, key])) // [["gov_hits", ["query", "url"]], ["gov_queries", ["query"]]]
}
{
  console.log(tables.crawlErrors.columns.slice(0, 3).map(({ name }) => name)) // ["url", "code", "error"]
}
{
  console.log(tables.crawlJobs.key) // ["job_id"]
}
{
  console.log(tables.pageLinks.parent?.table) // "pages"
}
{
  console.log(tables.pages.key, tables.pages.presence?.({ status_code: 404 })) // ["url"] "gone"
}
