import { existsSync } from "node:fs"
import { request } from "node:http"
import { createRequire } from "node:module"
import { resolve } from "node:path"
import { json } from "node:stream/consumers"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type DemoService, demoService, productOf } from "./demoService.ts"
import { type Node, requestOf } from "./n8nNode.ts"

/** More clients that nobody here wrote, unmodified, against `millrace serve` and the demo site. */
const folder = resolve(import.meta.dirname, "clients")
const isThere = existsSync(resolve(folder, "node_modules/firecrawl-aisdk"))
if (!isThere) process.stderr.write("SKIPPED: the other clients are not installed: npm run compat installs them\n")

const home = "http://northmere.example/"
const about = `${home}about`
const require = createRequire(resolve(folder, "package.json"))
/** A module of theirs. Their types are theirs: tests read what comes. What was an ES module before it was built is one again. */
const load = async (name: string): Promise<any> => {
  const loaded = await import(pathToFileURL(require.resolve(name)).href)
  return loaded.default?.__esModule === true ? loaded.default : loaded
}
const fields = { type: "object", properties: { name: { type: "string" }, price: { type: "number" } } }

/** One exchange over a connection of its own, as n8n's: one that is kept may be closed while this machine is busy. */
const exchange = (
  method: string,
  url: string,
  { body, headers = {} }: { headers?: Record<string, string>; body?: string }
) =>
  new Promise<{ status: number; answer: any }>((done, fail) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      json(response).then((answer) => done({ status: response.statusCode ?? 0, answer }), fail)
    })
    sent.on("error", fail)
    sent.end(body)
  })

let service: DemoService
let product = ""

describe.skipIf(!isThere)("other clients", () => {
  beforeAll(async () => {
    service = await demoService()
    product = await productOf(service)
  })
  afterAll(() => service.stop())

  describe("the npm package @mendable/firecrawl-js 1.29.3", () => {
    const client = async () => {
      const { default: Firecrawl } = await load("@mendable/firecrawl-js")
      return new Firecrawl({ apiKey: "fc-any", apiUrl: service.url })
    }

    it("scrapeUrl: a page, and data in the shape of a schema", async () => {
      const app = await client()
      const page = await app.scrapeUrl(product, { formats: ["markdown", "extract"], extract: { schema: fields } })

      expect(page).toMatchObject({ success: true, extract: { name: expect.any(String), price: expect.any(Number) } })
      expect(page.markdown.length).toBeGreaterThan(20)
      await expect(app.scrapeUrl("http://nowhere.invalid/")).rejects.toThrow()
    })

    it("crawlUrl, asyncCrawlUrl, checkCrawlStatus, checkCrawlErrors, cancelCrawl", async () => {
      const app = await client()
      const crawl = await app.crawlUrl(home, { limit: 120, scrapeOptions: { formats: ["markdown"] } })
      const slow = await app.asyncCrawlUrl(home, { delay: 5, ignoreSitemap: true, maxDepth: 2 })
      const status = await app.checkCrawlStatus(slow.id)
      const errors = await app.checkCrawlErrors(slow.id)

      expect(crawl).toMatchObject({ success: true, status: "completed", total: 120 })
      expect(crawl.data).toHaveLength(120)
      expect(slow.url).toBe(`${service.url}/v1/crawl/${slow.id}`)
      expect(status.status).toBe("scraping")
      expect(errors).toMatchObject({ errors: [], robotsBlocked: [] })
      expect(await app.cancelCrawl(slow.id)).toMatchObject({ status: "cancelled" })
    })

    it("crawlUrlAndWatch: every page, over a WebSocket", async () => {
      const watch = await (await client()).crawlUrlAndWatch(home, { limit: 5 })
      const pages: Array<string> = []
      watch.addEventListener("document", ({ detail }: any) => pages.push(detail.metadata.url))
      await new Promise((done, fail) => {
        watch.addEventListener("done", done)
        watch.addEventListener("error", fail)
      })

      expect(new Set(pages).size).toBe(5)
    })

    it("batchScrapeUrls, asyncBatchScrapeUrls, checkBatchScrapeStatus, mapUrl", async () => {
      const app = await client()
      const batch = await app.batchScrapeUrls([about, home], { formats: ["markdown"] })
      const started = await app.asyncBatchScrapeUrls([about])
      const { links } = await app.mapUrl(home, { limit: 50 })

      expect(batch).toMatchObject({ status: "completed", completed: 2 })
      expect((await app.checkBatchScrapeStatus(started.id)).success).toBe(true)
      expect(links.every((link: unknown) => typeof link === "string")).toBe(true)
      expect(links.length).toBeGreaterThan(10)
    })

    it("search, extract", async () => {
      const app = await client()
      await app.scrapeUrl(about)
      const found = await app.search("About Northmere", { limit: 2 })
      const extracted = await app.extract([product], { schema: fields })

      expect(found.data[0]).toMatchObject({ url: expect.any(String), title: expect.any(String) })
      expect(extracted).toMatchObject({ success: true, data: { price: expect.any(Number) } })
    })
  })

  it.each(["firecrawl-js-3", "firecrawl-js-4"])("the npm package @mendable/firecrawl-js as %s", async (name) => {
    const { default: Firecrawl } = await load(name)
    const app = new Firecrawl({ apiKey: "fc-any", apiUrl: service.url })
    const page = await app.scrape(product, { formats: ["markdown", { type: "json", schema: fields }] })
    const crawl = await app.crawl(home, { limit: 20, pollInterval: 1 })
    const batch = await app.batchScrape([about], { pollInterval: 1 })
    const { links } = await app.map(home, { limit: 20 })
    const old = await app.v1.scrapeUrl(about, {})

    expect(page.json).toMatchObject({ price: expect.any(Number) })
    expect(crawl.data).toHaveLength(20)
    expect(batch.data[0].metadata.title).toBe("About Northmere")
    expect(links).toHaveLength(20)
    expect(old).toMatchObject({ success: true, metadata: { title: "About Northmere" } })
  })

  it.each(["scrape", "crawl", "map"])("LangChain's FireCrawlLoader, mode %s", async (mode) => {
    const { FireCrawlLoader } = await load("@langchain/community/document_loaders/web/firecrawl")
    const params = mode === "scrape" ? {} : { limit: 3 }
    const loader = new FireCrawlLoader({ url: about, apiKey: "fc-any", apiUrl: service.url, mode, params })
    const documents = await loader.load()

    expect(documents.length).toBeGreaterThan(0)
    expect(documents[0].pageContent).toContain(mode === "map" ? home : "About Northmere")
  })

  it("the npm package firecrawl-aisdk 0.12.0: its tools", async () => {
    const sdk: any = await import(pathToFileURL(resolve(folder, "node_modules/firecrawl-aisdk/dist/index.js")).href)
    const options = { apiKey: "fc-any", apiUrl: service.url }
    const run = (tool: any, input: object) => tool(options).execute(input, { toolCallId: "1", messages: [] })
    const asked = await run(sdk.scrape, { url: about, formats: [{ type: "query", prompt: "What is Northmere?" }] })
    const found = await run(sdk.search, { query: "About Northmere", limit: 2 })
    const mapped = await run(sdk.map, { url: home, limit: 5 })
    const crawled = await run(sdk.crawl, { url: home, limit: 3 })
    const batched = await run(sdk.batchScrape, { urls: [about], formats: ["markdown"] })
    const agent = await run(sdk.agent, { prompt: "the price", urls: [product] })

    expect(asked.answer ?? asked.warning).toEqual(expect.any(String))
    expect(found.web[0].url).toEqual(expect.any(String))
    expect(mapped.links).toHaveLength(5)
    // Its tool `poll` knows only the hosted service: the id is what it needs.
    expect(crawled).toMatchObject({ id: expect.any(String), url: `${service.url}/v2/crawl/${crawled.id}` })
    expect(JSON.stringify(batched)).toContain("About Northmere")
    expect(agent).toMatchObject({ success: true, id: expect.any(String) })
  })

  it("the n8n node 2.1.2: what each operation sends, with its fields as they are by default", async () => {
    const { Firecrawl } = await load("@mendable/n8n-nodes-firecrawl/dist/nodes/Firecrawl/Firecrawl.node.js")
    const node: Node = new Firecrawl()
    const send = async (resource: string, operation: string, filled: object = {}) => {
      const { body, method, url } = await requestOf(node, resource, operation, { ...filled })
      const headers = { "content-type": "application/json" }
      const sent = method === "POST" ? { headers, body: JSON.stringify(body) } : {}
      return exchange(method, `${service.url}/v2${url}`, sent)
    }
    const url = { url: about }
    const scrapeOptions = { options: { formats: { format: [{ type: "markdown" }, { type: "summary" }] } } }
    const scraped = await send("Scraping", "scrape", { ...url, scrapeOptions })
    const batch = await send("Scraping", "batchScrape", { urls: `${about}, ${home}` })
    const crawl = await send("Crawling", "crawl", { ...url, limit: 3 })
    const extract = await send("Extract", "extract", { urls: { items: [{ url: product }] }, prompt: "name and price" })
    const answers = [
      scraped,
      batch,
      crawl,
      extract,
      await send("Scraping", "batchScrapeStatus", {
        batchScrapeId: batch.answer.id,
        batchId: batch.answer.id,
        id: batch.answer.id
      }),
      await send("Crawling", "getCrawlStatus", { crawlId: crawl.answer.id }),
      await send("Crawling", "getCrawlErrors", { crawlId: crawl.answer.id }),
      await send("Crawling", "crawlActive"),
      await send("MapSearch", "map", url),
      await send("MapSearch", "search", { query: "About Northmere" }),
      await send("Extract", "getExtractStatus", { extractId: extract.answer.id }),
      await send("Agent", "agentAsync", { prompt: "the price of lamps" }),
      await send("Account", "teamCreditUsage"),
      await send("Account", "creditUsageHistorical"),
      await send("Account", "teamTokenUsage"),
      await send("Account", "teamTokenUsageHistorical"),
      await send("Account", "teamQueueStatus")
    ]

    expect(answers.map(({ answer, status }) => (status === 200 ? status : answer))).toEqual(answers.map(() => 200))
    expect(extract.answer.warnings).toContainEqual(expect.stringContaining("ignoreSitemap has no effect"))
    expect(scraped.answer.data.metadata.title).toBe("About Northmere")
  })
})
