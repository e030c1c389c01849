import { once } from "node:events"
import * as Effect from "effect/Effect"
import Firecrawl from "firecrawl"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Server from "../../src/site/Server.ts"
import * as Site from "../../src/site/Site.ts"
import { inFolder, start } from "../cli/millrace.ts"

/** A client that nobody here wrote, unmodified, against `millrace serve` and the demo site. */
const site = Site.make({ seed: 1, revision: 1 })
const start_ = "http://northmere.example/"
let client: Firecrawl
let stop: () => void
let stopped: Promise<void>

/** What a crawl of everything must bring: the pages that truth names, errors statuses among them. */
const documents = [...site.truth.pages.values()].filter(
  ({ kind, foundBy }) => (kind === "page" || kind === "missing") && foundBy !== undefined
)

beforeAll(async () => {
  const serving = Promise.withResolvers<string>()
  const stopping = Promise.withResolvers<void>()
  stop = stopping.resolve
  stopped = inFolder((folder) =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const { url } = yield* Server.serve(site, { host: "127.0.0.1", port: 0, slowness: 1 })
          const { process, ended } = start(
            folder,
            "serve",
            "--port",
            "0",
            "--resolve",
            `northmere.example=${new URL(url).host}`
          )
          process.stdout?.once("data", (chunk) => serving.resolve(/http:\S+/.exec(String(chunk))?.[0] ?? ""))
          yield* Effect.promise(() => stopping.promise)
          process.kill("SIGTERM")
          yield* Effect.promise(() => ended)
        })
      )
    )
  )
  client = new Firecrawl({ apiKey: "fc-any", apiUrl: await serving.promise })
})

afterAll(async () => {
  stop()
  await stopped
})

describe("the npm package firecrawl", () => {
  it("scrapes a page in several formats", async () => {
    const page = await client.scrape(`${start_}about`, { formats: ["markdown", "html", "rawHtml", "links"] })

    expect(page.markdown).toContain("# About Northmere")
    expect(page.html).toContain("<h1>")
    expect(page.rawHtml).toContain("<!doctype html>")
    expect(page.links?.every((link) => /^https?:/.test(link))).toBe(true)
    expect(page.metadata).toMatchObject({
      title: "About Northmere",
      language: "en",
      statusCode: 200,
      sourceURL: `${start_}about`
    })
  })

  it("crawls a whole site and reads it to the end", async () => {
    const crawl = await client.crawl(start_, { pollInterval: 1, scrapeOptions: { formats: ["markdown"] } })

    expect(crawl.status).toBe("completed")
    expect(crawl.data).toHaveLength(crawl.total)
    expect(new Set(crawl.data.map(({ metadata }) => metadata?.url)).size).toBe(crawl.total)
    expect(crawl.total).toBeGreaterThanOrEqual(documents.length)
  })

  it("maps a site", async () => {
    const { links } = await client.map(start_, { limit: 1000 })

    const urls = links.map(({ url }) => url)
    expect(urls).toContain(`${start_}about`)
    expect(new Set(urls).size).toBe(urls.length)
    expect(urls.length).toBeGreaterThan(200)
  })

  it("watches a crawl over a WebSocket and sees every page once", async () => {
    const { id } = await client.startCrawl(start_, { limit: 150 })
    const watcher = client.watcher(id, { kind: "crawl", pollInterval: 1, timeout: 50 })
    const seen: Array<string | undefined> = []
    watcher.on("document", (document: { metadata?: { url?: string } }) => seen.push(document.metadata?.url))
    const done = once(watcher, "done")

    await watcher.start()

    expect((await done)[0]).toMatchObject({ status: "completed" })
    expect(new Set(seen).size).toBe(150)
  })

  it("cancels a crawl and lists its errors", async () => {
    const { id } = await client.startCrawl(start_, { delay: 5 })

    const cancelled = await client.cancelCrawl(id)
    const status = await client.getCrawlStatus(id)
    const errors = await client.getCrawlErrors(id)

    expect(cancelled).toBe(true)
    expect(status.status).toBe("cancelled")
    expect(errors.errors).toEqual([])
  })

  it("is told what is wrong with a request", async () => {
    await expect(client.crawl("no url", {})).rejects.toThrow("Invalid URL")
    await expect(client.startCrawl(start_, { includePaths: ["(?=x)"] })).rejects.toThrow("is not an RE2 pattern")
  })
})
