import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import Firecrawl from "firecrawl"
import { expect } from "vitest"
import { gate, page, scriptedSite } from "./scriptedSite.ts"
import { hosts, served } from "./served.ts"

const url = "http://site.test/"

/** The public client, unmodified, on a service that crawls a site of 130 pages, one of them held back. */
const client = Effect.gen(function* () {
  const held = gate(page("held"))
  const links = Array.from({ length: 128 }, (_, index) => `/p${index}`)
  const site = yield* scriptedSite({
    "/": page("home", ...links, "/held"),
    ...Object.fromEntries(links.map((link) => [link, page(link)])),
    "/held": held.answer
  })
  const service = yield* served({ resolve: hosts(site.port) })
  return { app: new Firecrawl({ apiKey: "fc-test", apiUrl: service.url }), held }
})

const failureOf = (run: () => Promise<unknown>) =>
  Effect.promise(() =>
    run().then(
      () => "no failure",
      (error: Error) => error.message
    )
  )

describe("the public client", () => {
  it.live("scrapes and maps", () =>
    Effect.gen(function* () {
      const { app } = yield* client
      const document = yield* Effect.promise(() => app.scrape(url, { formats: ["markdown", "links"] }))
      const map = yield* Effect.promise(() => app.map(url))

      expect(document.metadata).toMatchObject({ title: "home", statusCode: 200, sourceURL: url })
      expect(document.links).toHaveLength(129)
      expect(map.links).toHaveLength(130)
    })
  )

  it.live("starts a crawl, sees it run, reads all its pages and its errors", () =>
    Effect.gen(function* () {
      const { app, held } = yield* client
      const { id } = yield* Effect.promise(() => app.startCrawl(url, { scrapeOptions: { formats: ["markdown"] } }))
      yield* held.reached
      const { crawls } = yield* Effect.promise(() => app.getActiveCrawls())
      yield* held.open
      const status = yield* Effect.promise(() => app.getCrawlStatus(id))
      const errors = yield* Effect.promise(() => app.getCrawlErrors(id))

      expect(crawls).toMatchObject([{ id, url }])
      expect(new Set(status.data.map(({ metadata }) => metadata?.url)).size).toBe(130)
      expect(errors).toEqual({ errors: [], robotsBlocked: [] })
    })
  )

  it.live("watches a crawl to its end", () =>
    Effect.gen(function* () {
      const { app, held } = yield* client
      const { id } = yield* Effect.promise(() => app.startCrawl(url))
      yield* held.reached
      const titles: Array<string | undefined> = []
      const done = Promise.withResolvers<unknown>()
      const watcher = app.watcher(id, { kind: "crawl" })
      watcher.on("document", ({ metadata }) => void titles.push(metadata?.title))
      watcher.on("error", done.reject)
      watcher.on("done", done.resolve)
      void watcher.start()
      yield* held.open
      yield* Effect.promise(() => done.promise)
      const late: Array<string | undefined> = []
      const again = app.watcher(id, { kind: "crawl" })
      again.on("document", ({ metadata }) => void late.push(metadata?.title))
      yield* Effect.promise(() => again.start())

      expect(titles).toContain("held")
      expect([titles.length, new Set(titles).size]).toEqual([130, 130])
      expect([late.length, new Set(late).size]).toEqual([130, 130])
    })
  )

  it.live("cancels a crawl, and reads what it had", () =>
    Effect.gen(function* () {
      const { app, held } = yield* client
      const { id } = yield* Effect.promise(() => app.startCrawl(url, { sitemap: "skip" }))
      yield* held.reached
      expect(yield* Effect.promise(() => app.cancelCrawl(id))).toBe(true)
      const status = yield* Effect.promise(() => app.getCrawlStatus(id))

      expect(status.status).toBe("cancelled")
      expect(status.completed).toBe(status.data.length)
      expect(yield* failureOf(() => app.cancelCrawl(id))).toContain("the crawl has ended already: it is cancelled")
    })
  )

  it.live("shows its user what was wrong", () =>
    Effect.gen(function* () {
      const { app } = yield* client

      expect(yield* failureOf(() => app.startCrawl("nowhere"))).toContain("Invalid URL")
      expect(yield* failureOf(() => app.startCrawl(url, { includePaths: ["(?=x)"] }))).toContain("includePaths[0]")
      expect(yield* failureOf(() => app.getCrawlStatus("0190c0de-0000-7000-8000-000000000000"))).toContain(
        "no crawl has"
      )
    })
  )
})
