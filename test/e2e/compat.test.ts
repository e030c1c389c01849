import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify, stripVTControlCharacters } from "node:util"
import { Validator } from "@seriousme/openapi-schema-validator"
import Firecrawl from "firecrawl"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isEveryCase } from "../thoroughness.ts"
import { type DemoService, demoService } from "./demoService.ts"
import { undescribed } from "./describedAnswers.ts"
import { type Recorder, recorder } from "./recorder.ts"

/** Clients that nobody here wrote, unmodified, against `millrace serve` and the demo site. */
const home = "http://northmere.example/"
const about = `${home}about`
const bin = resolve(import.meta.dirname, "../../node_modules/.bin")
/** Asks again a moment later: questions without a pause cost the service what it needs to answer. */
const soon = <A>(ask: () => Promise<A>): Promise<A> => setTimeout(100).then(ask)
let service: DemoService
let recorded: Recorder
let client: Firecrawl

/** A crawl of the whole site, which is made once. */
let crawled: ReturnType<Firecrawl["crawl"]> | undefined
const wholeSite = () => (crawled ??= client.crawl(home, { pollInterval: 1, scrapeOptions: { formats: ["markdown"] } }))

beforeAll(async () => {
  service = await demoService()
  recorded = await recorder(service.url)
  client = new Firecrawl({ apiKey: "fc-any", apiUrl: recorded.url })
})
afterAll(() => {
  recorded.stop()
  return service.stop()
})

describe("the npm package firecrawl 4.42.0", () => {
  it("scrape: a page in several formats", async () => {
    const page = await client.scrape(about, { formats: ["markdown", "html", "rawHtml", "links"] })

    expect(page.markdown).toContain("# About Northmere")
    expect(page.html).toContain("<h1>")
    expect(page.rawHtml).toContain("<!doctype html>")
    expect(page.links?.every((link) => /^https?:/.test(link))).toBe(true)
    expect(page.metadata).toMatchObject({ title: "About Northmere", language: "en", statusCode: 200, sourceURL: about })
  })

  it("scrape: a host that does not resolve is told with its code", async () => {
    await expect(client.scrape("http://nowhere.invalid/")).rejects.toThrow(/resolve/)
  })

  it("startCrawl, getCrawlStatus: a job that can be read page by page", async () => {
    const { id, url } = await client.startCrawl(home, { limit: 30 })
    const first = await client.getCrawlStatus(id, { autoPaginate: false })
    let status = first
    while (status.status === "scraping") status = await soon(() => client.getCrawlStatus(id))

    expect(url).toBe(`${recorded.url}/v2/crawl/${id}`)
    expect(["scraping", "completed"]).toContain(first.status)
    expect(status).toMatchObject({ status: "completed", total: 30, completed: 30, creditsUsed: 30 })
    expect(status.data).toHaveLength(30)
  })

  it("crawl: a whole site, read to the end, each page once", async () => {
    const crawl = await wholeSite()

    expect(crawl.status).toBe("completed")
    expect(crawl.data).toHaveLength(crawl.total)
    expect(new Set(crawl.data.map(({ metadata }) => metadata?.url)).size).toBe(crawl.total)
    expect(crawl.total).toBeGreaterThan(380)
  })

  it("cancelCrawl, getCrawlErrors: a job that is stopped", async () => {
    const { id } = await client.startCrawl(home, { delay: 5 })

    expect(await client.cancelCrawl(id)).toBe(true)
    expect((await client.getCrawlStatus(id)).status).toBe("cancelled")
    expect(await client.getCrawlErrors(id)).toEqual({ errors: [], robotsBlocked: [] })
    await expect(client.cancelCrawl(id)).rejects.toMatchObject({ status: 409 })
  })

  it("getCrawlErrors: failures with their reasons, and what robots.txt blocks", async () => {
    const { id } = await wholeSite()
    const { errors, robotsBlocked } = await client.getCrawlErrors(id)

    expect(errors.map(({ code }) => code)).toContain("EXTERNAL_LINK")
    expect(
      errors.every(({ id, url, error, timestamp }) => id && url && error && !Number.isNaN(Date.parse(timestamp ?? "")))
    ).toBe(true)
    expect(robotsBlocked).toContain(`${home}private/ledger`)
  })

  it("getActiveCrawls: the job that is under way", async () => {
    const { id } = await client.startCrawl(home, { delay: 5 })
    const { crawls } = await client.getActiveCrawls()
    await client.cancelCrawl(id)

    expect(crawls.find((crawl) => crawl.id === id)).toMatchObject({ id, teamId: "local", url: home })
  })

  it("crawlParamsPreview: options from words", async () => {
    const options = await client.crawlParamsPreview(
      home,
      "only the blog, at most 20 pages, 3 levels deep, without tags"
    )

    expect(options).toMatchObject({ url: home, limit: 20, maxDiscoveryDepth: 3 })
    expect(options["includePaths"]).toHaveLength(1)
    expect(options["excludePaths"]).toHaveLength(1)
  })

  it("startBatchScrape, getBatchScrapeStatus, getBatchScrapeErrors: pages as given, and URLs that are none", async () => {
    const { id, invalidURLs } = await client.startBatchScrape([about, `${home}lab/reset`, "no url"], {
      ignoreInvalidURLs: true
    })
    let job = await client.getBatchScrapeStatus(id)
    while (job.status === "scraping") job = await soon(() => client.getBatchScrapeStatus(id))
    const { errors } = await client.getBatchScrapeErrors(id)

    expect(invalidURLs).toEqual(["no url"])
    expect(job).toMatchObject({ status: "completed", total: 1, completed: 1 })
    expect(job.data[0]?.metadata?.title).toBe("About Northmere")
    expect(errors.map(({ url }) => url)).toEqual([`${home}lab/reset`])
  })

  it("batchScrape: many pages at once", async () => {
    const urls = Array.from({ length: 20 }, (_, index) => `${home}docs/?n=${index}`)
    const job = await client.batchScrape(urls, { options: { formats: ["links"] }, pollInterval: 1 })

    expect(job).toMatchObject({ status: "completed", completed: 20 })
    expect(job.data.map(({ metadata }) => metadata?.sourceURL).toSorted()).toEqual(urls.toSorted())
  })

  it("cancelBatchScrape: a batch that is stopped, or has ended", async () => {
    const slow = await client.startBatchScrape(Array.from({ length: 50 }, () => `${home}lab/slow`))
    expect(await client.cancelBatchScrape(slow.id)).toBe(true)
    expect((await client.getBatchScrapeStatus(slow.id)).status).toBe("cancelled")

    const { id } = await client.startBatchScrape([about])
    while ((await soon(() => client.getBatchScrapeStatus(id))).status === "scraping");

    await expect(client.cancelBatchScrape(id)).rejects.toMatchObject({ status: 409 })
  })

  it("startBatchScrape with an idempotency key starts one job", async () => {
    const idempotencyKey = crypto.randomUUID()
    await client.startBatchScrape([about], { idempotencyKey })

    await expect(client.startBatchScrape([about], { idempotencyKey })).rejects.toMatchObject({ status: 409 })
  })

  it("createMonitor, getMonitor, listMonitors, updateMonitor, runMonitor, listMonitorChecks, getMonitorCheck, deleteMonitor", async () => {
    const made = await client.createMonitor({
      name: "Northmere",
      schedule: { text: "every 30 minutes", timezone: "Europe/Berlin" },
      goal: "prices of lamps",
      targets: [
        { type: "scrape", urls: [about, `${home}missing-page`] },
        { type: "crawl", url: `${home}docs/`, crawlOptions: { limit: 3, sitemap: "skip" } }
      ],
      webhook: { url: "https://hooks.invalid/x", events: ["check.completed"] },
      notification: { email: { enabled: false, recipients: ["ann@example.test"] } },
      retentionDays: 7
    })
    const paused = await client.updateMonitor(made.id, { status: "paused", goal: null, webhook: null })
    await expect(client.runMonitor(made.id)).rejects.toMatchObject({ status: 409 })
    await client.updateMonitor(made.id, { status: "active" })
    const started = await client.runMonitor(made.id)
    let check = await client.getMonitorCheck(made.id, started.id)
    while (["queued", "running"].includes(check.status)) {
      check = await soon(() => client.getMonitorCheck(made.id, started.id))
    }
    const paged = await client.getMonitorCheck(made.id, started.id, { limit: 2 })
    const fresh = await client.getMonitorCheck(made.id, started.id, { status: "new", limit: 1, autoPaginate: false })
    const got = await client.getMonitor(made.id)

    expect(made).toMatchObject({ status: "active", schedule: { cron: "*/30 * * * *", timezone: "Europe/Berlin" } })
    expect(made).toMatchObject({ goal: "prices of lamps", judgeEnabled: true, retentionDays: 7 })
    expect(paused).toMatchObject({ status: "paused", nextRunAt: null, goal: null, webhook: null, judgeEnabled: false })
    expect(check).toMatchObject({ status: "completed", trigger: "manual", monitorId: made.id })
    expect(check.summary).toEqual({ totalPages: 5, same: 0, changed: 0, new: 4, removed: 0, error: 1 })
    expect(paged.pages.map(({ id }) => id)).toEqual(check.pages.map(({ id }) => id))
    expect(fresh.pages).toHaveLength(1)
    expect(fresh.next).toContain("status=new")
    expect(got.lastCheckSummary).toEqual(check.summary)
    expect((await client.listMonitors({ limit: 100 })).map(({ id }) => id)).toContain(made.id)
    expect((await client.listMonitorChecks(made.id, { limit: 5 })).map(({ id }) => id)).toEqual([started.id])
    expect(await client.deleteMonitor(made.id)).toBe(true)
    await expect(client.getMonitor(made.id)).rejects.toMatchObject({ status: 404 })
    await expect(
      client.createMonitor({ name: "x", schedule: { cron: "* * * * *" }, targets: [{ type: "scrape", urls: [about] }] })
    ).rejects.toMatchObject({ status: 400 })
  })

  it("scrape: images, attributes, summary, json and selectors", async () => {
    const schema = { type: "object", properties: { name: { type: "string" }, price: { type: "number" } } }
    const { links } = await client.map(`${home}shop/`, { limit: 500 })
    const product = links.map(({ url }) => url).find((url) => /\/shop\/p\/[^/?]+$/.test(url)) ?? home
    const page = await client.scrape(product, {
      formats: [
        "images",
        "summary",
        { type: "json", schema },
        { type: "attributes", selectors: [{ selector: "a", attribute: "href" }] }
      ],
      excludeTags: ["nav"]
    })

    expect(page.summary?.length).toBeGreaterThan(10)
    expect(page.attributes?.[0]?.values.length).toBeGreaterThan(0)
    expect(page.json).toMatchObject({ name: expect.any(String), price: expect.any(Number) })
    expect(page.metadata?.creditsUsed).toBe(5)
  })

  it("parse: a file that is uploaded", async () => {
    const page = await client.parse({
      data: "<h1>Uploaded</h1><p>by hand</p>",
      filename: "a.html",
      contentType: "text/html"
    })

    expect(page.markdown).toBe("# Uploaded\n\nby hand")
  })

  it("map: the URLs of a site, and those that hold a word", async () => {
    const all = await client.map(home, { limit: 1000 })
    const shop = await client.map(home, { search: "shop", limit: 5 })

    const urls = all.links.map(({ url }) => url)
    expect(urls).toContain(about)
    expect(new Set(urls).size).toBe(urls.length)
    expect(urls.length).toBeGreaterThan(200)
    expect(
      shop.links.every(({ url, title, description }) => `${url} ${title} ${description}`.toLowerCase().includes("shop"))
    ).toBe(true)
    expect(shop.links.length).toBe(5)
  })

  it("search: pages that were read, as links and with their content", async () => {
    await client.scrape(about)
    const found = await client.search("about the town of Northmere", { limit: 3, sources: ["web"] })
    const whole = await client.search('"About Northmere" site:northmere.example', {
      limit: 1,
      includeDomains: ["northmere.example"],
      highlights: false,
      timeout: 20_000,
      scrapeOptions: { formats: ["markdown", "links"] }
    })

    expect(found.web?.length).toBeGreaterThan(0)
    expect(found.web?.[0]).toMatchObject({ url: expect.any(String), title: expect.any(String), position: 1 })
    expect(whole.web?.[0]).toMatchObject({ url: about, markdown: expect.stringContaining("# About Northmere") })
    await expect(client.search("x", { limit: 1000 })).rejects.toMatchObject({ status: 400 })
  })

  it("watcher: every page of a crawl and of a batch once, over a WebSocket", async () => {
    const crawl = await client.startCrawl(home, { limit: 150 })
    const batch = await client.startBatchScrape([about, `${home}docs/`, `${home}blog/`])
    const watch = async (id: string, kind: "crawl" | "batch") => {
      const seen = new Set<string | undefined>()
      const watcher = client.watcher(id, { kind, pollInterval: 1, timeout: 50 })
      watcher.on("document", (document: { metadata?: { url?: string } }) => seen.add(document.metadata?.url))
      const done = once(watcher, "done")
      await watcher.start()
      return { done: (await done)[0], pages: seen.size }
    }

    expect(await watch(crawl.id, "crawl")).toMatchObject({ done: { status: "completed" }, pages: 150 })
    expect(await watch(batch.id, "batch")).toMatchObject({ done: { status: "completed" }, pages: 3 })
  })

  it("startExtract, getExtractStatus, extract: data of pages in the shape of a schema", async () => {
    const lamps = await client.map(home, { search: "lantern", limit: 1 })
    const product = lamps.links[0]?.url ?? ""
    const schema = {
      type: "object",
      properties: { item_title: { type: "string" }, cost: { type: "number" }, cost_currency: { type: "string" } }
    }
    const started = await client.startExtract({ urls: [product], schema, prompt: "the product" })
    const status = await client.getExtractStatus(started.id ?? "")
    const whole = await client.extract({ urls: [product], schema, pollInterval: 1, timeout: 30 })

    expect(started).toMatchObject({ success: true, warnings: [expect.any(String)] })
    expect(["processing", "completed"]).toContain(status.status)
    expect(whole).toMatchObject({
      status: "completed",
      data: { item_title: expect.stringContaining("lantern"), cost: expect.any(Number), cost_currency: "GBP" },
      sources: { "/cost": expect.any(Array) }
    })
  })

  it("startAgent, getAgentStatus, agent, getAgentTrace, getAgentSnapshot, getAgentThread, listAgents: a run and all it leaves", async () => {
    const schema = {
      type: "object",
      properties: {
        jobs: {
          type: "array",
          items: { type: "object", properties: { position: { type: "string" }, yearly_pay: { type: "number" } } }
        }
      }
    }
    const run = await client.agent({
      urls: [`${home}jobs/`],
      prompt: "all jobs with their pay",
      schema,
      model: "spark-1-pro",
      effort: "low",
      strictConstrainToURLs: true,
      pollInterval: 1,
      timeout: 30
    })
    const started = await client.startAgent({ prompt: "their pay again", threadId: run.threadId ?? "" })
    let next = await client.getAgentStatus(started.id)
    while (next.status === "processing") next = await soon(() => client.getAgentStatus(started.id))
    const { agents } = await client.listAgents()
    const listed = agents?.find(({ id }) => id === started.id)
    const trace = await client.getAgentTrace(started.id, { liveView: true })
    const artifact = trace.events?.findLast(
      (event) => event.type === "artifact.updated" && event.artifact.kind === "json"
    )
    const snapshotId = artifact?.type === "artifact.updated" ? artifact.artifact.snapshotId : ""
    const { snapshot } = await client.getAgentSnapshot(started.id, snapshotId)
    const { thread } = await client.getAgentThread(run.threadId ?? "", { includeData: true })

    expect(run).toMatchObject({ status: "completed", model: "core-2", effort: "low", threadTurn: 1 })
    const { jobs } = run.data as { jobs: ReadonlyArray<{ position: string; yearly_pay: number }> } // as the schema has it
    expect(jobs).toHaveLength(30)
    expect(jobs.every(({ position, yearly_pay: pay }) => position !== "" && pay > 20_000)).toBe(true)
    expect(next).toMatchObject({ status: "completed", threadTurn: 2 })
    expect(listed).toMatchObject({ status: "completed", options: { prompt: "their pay again" } })
    expect(trace.events?.[0]?.type).toBe("run.started")
    expect(trace.events?.at(-1)?.type).toBe("run.finished")
    expect(JSON.parse(snapshot ?? "")).toEqual(next.data)
    expect(thread?.runs.map(({ status }) => status)).toEqual(["succeeded", "succeeded"])
  })

  it("cancelAgent: a run that is stopped, and one that has ended", async () => {
    const { id } = await client.startAgent({ prompt: "everything about the town", urls: [home], effort: "high" })
    expect(await client.cancelAgent(id)).toBe(true)
    let run = await client.getAgentStatus(id)
    while (run.status === "processing") run = await soon(() => client.getAgentStatus(id))

    expect(run).toMatchObject({ status: "failed", error: "the run was cancelled", creditsUsed: 0 })
    await expect(client.cancelAgent(id)).rejects.toMatchObject({ status: 409 })
  })

  it("getConcurrency, getCreditUsage, getTokenUsage, both histories, getQueueStatus: what the team may use", async () => {
    const { maxConcurrency } = await client.getConcurrency()
    const { remainingCredits } = await client.getCreditUsage()
    const { remainingTokens } = await client.getTokenUsage()
    const credits = await client.getCreditUsageHistorical()
    const tokens = await client.getTokenUsageHistorical(true)
    const queue = await client.getQueueStatus()

    expect(maxConcurrency).toBeGreaterThan(0)
    expect(remainingCredits).toBeGreaterThan(1_000_000)
    expect(remainingTokens).toBeGreaterThan(1_000_000)
    expect(credits.periods).toHaveLength(1)
    expect(credits.periods[0]?.creditsUsed).toBeGreaterThan(500)
    expect(tokens.periods[0]?.tokensUsed).toBe((credits.periods[0]?.creditsUsed ?? 0) * 15)
    expect(queue).toMatchObject({ success: true, maxConcurrency })
  })

  it("scrapeUrl, crawlUrl, asyncCrawlUrl, checkCrawlStatus, checkCrawlErrors, mapUrl, batchScrapeUrls, asyncBatchScrapeUrls, checkBatchScrapeStatus, checkBatchScrapeErrors: the old names", async () => {
    const crawl = await client.crawlUrl(home, { limit: 2 })
    const started = await client.asyncCrawlUrl(home, { limit: 2 })
    const batch = await client.asyncBatchScrapeUrls([about])

    expect((await client.scrapeUrl(about)).markdown).toContain("# About Northmere")
    expect(crawl).toMatchObject({ status: "completed", total: 2 })
    expect((await client.checkCrawlStatus(started.id)).status).toMatch(/^(scraping|completed)$/)
    expect((await client.checkCrawlErrors(started.id)).robotsBlocked).toBeInstanceOf(Array)
    expect((await client.mapUrl(home, { limit: 3 })).links).toHaveLength(3)
    expect((await client.batchScrapeUrls([about, home])).completed).toBe(2)
    expect((await client.checkBatchScrapeStatus(batch.id)).status).toMatch(/^(scraping|completed)$/)
    expect((await client.checkBatchScrapeErrors(batch.id)).errors).toEqual([])
  })

  it("is told what is wrong with a request", async () => {
    await expect(client.crawl("no url", {})).rejects.toThrow("Invalid URL")
    await expect(client.startCrawl(home, { includePaths: ["(?=x)"] })).rejects.toThrow("is not an RE2 pattern")
    await expect(client.getCrawlStatus("0190c0de-0000-7000-8000-000000000000")).rejects.toMatchObject({ status: 404 })
  })
})

// It starts a process for each: in a sample the package and the server that it is made of stand for it.
describe.runIf(isEveryCase)("the command firecrawl 1.23.3", () => {
  const run = async (...args: ReadonlyArray<string>): Promise<string> => {
    const key = { FIRECRAWL_API_KEY: "fc-any", FIRECRAWL_API_URL: recorded.url }
    const env = { ...process.env, ...key, HOME: service.folder, FIRECRAWL_NO_TELEMETRY: "1" }
    const all = [...args, "--api-url", recorded.url, "--api-key", "fc-any"]
    return (await promisify(execFile)(join(bin, "firecrawl"), all, { cwd: service.folder, env })).stdout
  }

  it("scrape: prints a page as Markdown", async () => {
    expect(await run("scrape", about, "--only-main-content")).toContain("# About Northmere")
  })

  it("map: prints URLs, one a line", async () => {
    expect((await run("map", home)).split("\n")).toContain(about)
  })

  it("crawl: waits for the pages and prints them", async () => {
    const crawl = JSON.parse(await run("crawl", home, "--limit", "5", "--wait", "--poll-interval", "1"))

    expect(crawl).toMatchObject({ status: "completed", completed: 5, total: 5 })
    expect(crawl.data).toHaveLength(5)
  })

  it("scrape: several pages at once, each into a file", async () => {
    await run("scrape", about, home)
    const written = readdirSync(join(service.folder, ".firecrawl"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => readFileSync(join(service.folder, ".firecrawl", name), "utf8"))

    expect(written).toHaveLength(2)
    expect(written.some((text) => text.includes("# About Northmere"))).toBe(true)
  })

  it("parse: reads a file of this machine", async () => {
    const file = join(service.folder, "letter.html")
    writeFileSync(file, "<title>Letter</title><main><h1>Dear reader</h1><p>Here is the letter.</p></main>")

    expect(await run("parse", file)).toContain("# Dear reader\n\nHere is the letter.")
  })

  it("agent: waits for a run and prints its data", async () => {
    const schema = JSON.stringify({ type: "object", properties: { title: { type: "string" } } })
    const wanted = ["--urls", about, "--schema", schema, "--wait", "--poll-interval", "1", "--json"]
    const printed = await run("agent", "the title of the page", ...wanted)

    expect(printed).toContain("About Northmere")
  })

  it("search: prints results, and their content where it is asked to", async () => {
    await run("scrape", about)
    const printed = await run("search", "About Northmere", "--limit", "3")
    const whole = JSON.parse(await run("search", "About Northmere", "--limit", "2", "--scrape", "--json"))

    expect(printed).toContain(`URL: ${about}`)
    expect(whole).toMatchObject({ success: true, id: expect.any(String), creditsUsed: expect.any(Number) })
    expect(whole.data.web[0].markdown.length).toBeGreaterThan(20)
  })

  it("doctor: says what a job has to say for itself", async () => {
    const { id } = await client.crawl(home, { limit: 3, pollInterval: 1 })
    const printed = stripVTControlCharacters(await run("doctor", id ?? "", "--query", "why are there so few pages?"))

    expect(printed).toContain(`The crawl ${id} is completed.`)
    expect(printed).toContain("3 pages")
  })

  it("--status: prints what the team may use", async () => {
    expect(stripVTControlCharacters(await run("--status"))).toMatch(/Concurrency: \d+\/64 jobs/)
  })

  it("monitor create, run, check, delete: a monitor on the command line", async () => {
    const made = JSON.parse(
      await run("monitor", "create", "--name", "About", "--schedule", "daily at 9:00", "--scrape-urls", about)
    )
    const id = made.data.id
    const started = JSON.parse(await run("monitor", "run", id))
    let check = JSON.parse(await run("monitor", "check", id, started.data.id))
    while (["queued", "running"].includes(check.data.status)) {
      check = JSON.parse(await soon(() => run("monitor", "check", id, started.data.id)))
    }

    expect(made.data.schedule.cron).toBe("0 9 * * *")
    expect(check.data).toMatchObject({ status: "completed", pages: [{ url: about, status: "new" }] })
    expect(JSON.parse(await run("monitor", "delete", id))).toMatchObject({ success: true })
  })

  it("credit-usage: prints what remains", async () => {
    expect(await run("credit-usage")).toMatch(/1,000,000,000/)
  })
})

describe("the MCP server firecrawl-mcp 3.26.0 over stdio", () => {
  let server: ChildProcess
  let next = 0
  const answers = new Map<number, (answer: any) => void>()
  const ask = (method: string, params: unknown) =>
    new Promise<any>((done) => {
      answers.set(++next, done)
      server.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id: next, method, params })}\n`)
    })
  const tool = async (name: string, args: unknown) => {
    const { result } = await ask("tools/call", { name, arguments: args })
    return { isError: result.isError === true, value: JSON.parse(result.content[0].text) }
  }

  beforeAll(async () => {
    const env = { ...process.env, FIRECRAWL_API_URL: recorded.url, FIRECRAWL_API_KEY: "fc-any" }
    server = spawn(join(bin, "firecrawl-mcp"), [], { env, stdio: ["pipe", "pipe", "ignore"] })
    let buffer = ""
    server.stdout?.on("data", (chunk) => {
      buffer += chunk
      const lines = buffer.split("\n")
      buffer = lines.pop() ?? ""
      for (const line of lines.filter((line) => line.startsWith("{"))) {
        const answer = JSON.parse(line)
        answers.get(answer.id)?.(answer)
      }
    })
    const clientInfo = { name: "compat", version: "1" }
    await ask("initialize", { protocolVersion: "2025-03-26", capabilities: {}, clientInfo })
    server.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`)
  })
  afterAll(() => void server.kill())

  it("firecrawl_scrape: a page as Markdown", async () => {
    const { value } = await tool("firecrawl_scrape", { url: about, formats: ["markdown"] })

    expect(value.markdown).toContain("# About Northmere")
  })

  it("firecrawl_map: the URLs of a site", async () => {
    const { value } = await tool("firecrawl_map", { url: home })

    expect(value.links.map(({ url }: { url: string }) => url)).toContain(about)
  })

  it("firecrawl_crawl, firecrawl_check_crawl_status: a crawl and what came of it", async () => {
    const { value } = await tool("firecrawl_crawl", { url: home, limit: 3 })
    const checked = await tool("firecrawl_check_crawl_status", { id: value.id })

    expect(value).toMatchObject({ status: "completed", total: 3 })
    expect(checked.value).toMatchObject({ status: "completed", completed: 3 })
  })

  it("firecrawl_monitor_create, _list, _get, _update, _run, _checks, _check, _delete: a monitor and what it finds", async () => {
    const made = await tool("firecrawl_monitor_create", {
      page: about,
      goal: "opening hours change",
      email: "ann@example.test"
    })
    const { id } = made.value
    const updated = await tool("firecrawl_monitor_update", { id, body: { schedule: { text: "hourly at :15" } } })
    const run = await tool("firecrawl_monitor_run", { id })
    const checkId = run.value.id
    let check = await tool("firecrawl_monitor_check", { id, checkId })
    while (["queued", "running"].includes(check.value.data.status)) {
      check = await soon(() => tool("firecrawl_monitor_check", { id, checkId, pageStatus: "new", limit: 10 }))
    }
    const search = await tool("firecrawl_monitor_create", {
      queries: ["weir"],
      goal: "news of the weir",
      searchWindow: "24h"
    })

    expect(made.value.data).toMatchObject({ schedule: { cron: "*/30 * * * *" }, goal: "opening hours change" })
    expect(updated.value.data.schedule).toEqual({ cron: "15 * * * *", text: "hourly at :15", timezone: "UTC" })
    expect(check.value.data).toMatchObject({ status: "completed", pages: [{ url: about, status: "new" }] })
    expect((await tool("firecrawl_monitor_get", { id })).value.data.lastCheckSummary).toMatchObject({ new: 1 })
    expect((await tool("firecrawl_monitor_list", { limit: 50 })).value.data).toHaveLength(2)
    expect((await tool("firecrawl_monitor_checks", { id, status: "completed" })).value.data).toHaveLength(1)
    expect(search.value.data.targets).toMatchObject([{ type: "search", queries: ["weir"] }])
    for (const gone of [id, search.value.id]) {
      expect((await tool("firecrawl_monitor_delete", { id: gone })).value).toMatchObject({ success: true })
    }
  })

  it("firecrawl_agent, firecrawl_agent_status: a run and what came of it", async () => {
    const started = await tool("firecrawl_agent", { prompt: "the title of the page", urls: [about] })
    let checked = await tool("firecrawl_agent_status", { id: started.value.id })
    while (checked.value.status === "processing") {
      checked = await soon(() => tool("firecrawl_agent_status", { id: started.value.id }))
    }

    expect(checked.value).toMatchObject({ status: "completed", success: true })
    expect(JSON.stringify(checked.value.data)).toContain("About Northmere")
  })

  it("firecrawl_search: pages that were read, with their content", async () => {
    await tool("firecrawl_scrape", { url: about, formats: ["markdown"] })
    const { value } = await tool("firecrawl_search", { query: "About Northmere", limit: 2 })
    const whole = await tool("firecrawl_search", {
      query: "About Northmere",
      limit: 1,
      includeDomains: ["northmere.example"],
      scrapeOptions: { formats: ["markdown"], onlyMainContent: true }
    })

    expect(value.data.web[0]).toMatchObject({ url: about, position: 1 })
    expect(whole.value.data.web[0].markdown).toContain("# About Northmere")
  })

  it("firecrawl_parse: a file of this machine as Markdown", async () => {
    const file = join(service.folder, "note.html")
    writeFileSync(file, "<title>Note</title><main><h1>A note</h1><p>For the machine.</p></main>")
    const { value } = await tool("firecrawl_parse", { filePath: file, formats: ["markdown"] })

    expect((value.data ?? value).markdown).toBe("# A note\n\nFor the machine.")
  })

  it("firecrawl_credit_usage: what remains", async () => {
    expect((await tool("firecrawl_credit_usage", {})).isError).toBe(false)
  })
})

describe("the OpenAPI document", () => {
  let document: any
  beforeAll(async () => {
    document = await (await fetch(`${service.url}/openapi.json`)).json()
  })

  it("is a valid one", async () => {
    const { valid, errors } = await new Validator().validate(document)

    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })

  it("describes every answer that the clients above were given", async () => {
    expect(recorded.exchanges.length).toBeGreaterThan(100)
    expect(new Set(recorded.exchanges.map(({ status }) => status))).toEqual(new Set([200, 400, 404, 409]))
    expect(undescribed(document, recorded.exchanges)).toEqual([])
  })

  it("would tell of an answer that it does not describe", async () => {
    const crawl = { method: "POST", path: "/v2/crawl", status: 200, contentType: "application/json", body: "{}" }
    const spoiled = [crawl, { ...crawl, status: 418 }, { ...crawl, path: "/v2/nothing" }]

    expect(undescribed(document, spoiled)).toEqual([
      expect.stringContaining("must have required property"),
      expect.stringContaining("no answer 418"),
      expect.stringContaining("the path is not described")
    ])
  })
})
