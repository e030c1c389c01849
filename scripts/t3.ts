import Firecrawl from "firecrawl"

const app = new Firecrawl({ apiKey: "fc-test", apiUrl: process.argv[2]! })
const url = process.argv[3]!
console.log("scrape", (await app.scrape(url, { formats: ["markdown", "links"] })).metadata)
const m = await app.map(url, {})
console.log("map", m.links.length, m.links[1])
const c = await app.crawl(url, { limit: 150, pollInterval: 1, scrapeOptions: { formats: ["markdown"] } } as any)
console.log("crawl", c.status, c.total, c.completed, c.data.length)
console.log("errors", await app.getCrawlErrors((c as any).id))
const s = await app.startCrawl(url, { limit: 60 })
const w = app.watcher(s.id, { kind: "crawl", pollInterval: 1, timeout: 60 })
let n = 0
w.on("document", () => n++)
w.on("error", (e) => console.log("error", e))
w.on("snapshot", (x) => console.log("snapshot", x.status, x.total, x.completed))
w.on("done", (d) => {
  console.log("done", d.status, n)
})
await w.start()
console.log("active", (await app.getActiveCrawls()).crawls.length)
const k = await app.startCrawl(url, { limit: 100, delay: 1 })
console.log("cancel", await app.cancelCrawl(k.id))
console.log((await app.getCrawlStatus(k.id)).status)
try {
  await app.crawl("not a url", {})
} catch (e: any) {
  console.log("bad", e.message, JSON.stringify(e.details ?? null))
}
try {
  await app.startCrawl(url, { includePaths: ["(?=x)"] })
} catch (e: any) {
  console.log("bad", e.message)
}
