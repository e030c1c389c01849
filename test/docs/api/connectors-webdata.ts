// Copied by `npm run docs` from docs/reference/api/connectors-webdata.md. Do not edit.
import { agent, connector, crawl, extract, monitor, searchGov, tables } from "../../../connectors/webdata/index.ts"
import { run } from "../../../src/index.ts"
import { duckdb } from "../../../connectors/duckdb/index.ts"

{
  const posts = agent.with({ prompt: "Find all open posts: title and salary", urls: ["https://your.site/jobs/"] })
  console.log(posts.tables[0].name)
}
{
  console.log(connector.sources.map(({ type }) => type))
}
{
  const source = crawl.with({ url: "https://your.site", limit: 50 })
  await run({ source, sinks: { db: duckdb.with({ path: "./site.duckdb" }) } })
}
{
  const schema = { type: "object", properties: { name: { type: "string" } } }
  console.log(extract.with({ urls: ["https://your.site/shop/*"], schema }).tables[0].name)
}
{
  console.log(monitor.description)
}
{
  console.log(searchGov.with({ queries: ["fence height"], k: 5 }).tables[0].name)
}
{
  console.log(tables.crawlErrors.name)
}
{
  console.log(tables.crawlJobs.name)
}
{
  console.log(tables.pageLinks.parent?.table) // "pages"
}
{
  console.log(tables.pages.key)
}
