import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import * as Plan from "#service/AccountPlan"
import type { ServiceConfig } from "#service/ServiceConfig"
import { gazetteer } from "../../agent/gazetteer.ts"
import { type Answer, file, page, scriptedSite } from "../../scriptedSite.ts"
import { hosts, served } from "../../served.ts"

const routes: Readonly<Record<string, Answer>> = {
  "/": page("<h1>Lamps</h1><p>We sell lamps of oak.</p>", "/oak", "/ash"),
  "/oak": page("<h1>Oak lamp</h1><p>The oak lamp costs 89 euros.</p>"),
  "/ash": page("<h1>Ash lamp</h1><p>The ash lamp costs 70 euros.</p>"),
  "/gone": file("text/html", "gone", 404)
}

const results = (...results: ReadonlyArray<object>) => file("application/json", JSON.stringify({ results }))

/** A service that has scraped the pages of a site, with a web search that answers so. */
const shop = Effect.fnUntraced(function* (web?: Answer, config: Partial<ServiceConfig> = {}) {
  const site = yield* scriptedSite(routes)
  const engine = yield* scriptedSite({ "/search": web ?? results() })
  const service = yield* served({
    resolve: hosts(site.port),
    ...(web === undefined ? {} : { webSearch: new URL(`http://127.0.0.1:${engine.port}`) }),
    ...config
  })
  const headers = { authorization: "Bearer a" }
  for (const path of ["", "oak", "ash"]) {
    yield* service.ask("POST", "/v2/scrape", { headers, body: { url: `http://site.test/${path}` } })
  }
  const search = (body: object, key = "a") =>
    service.ask("POST", "/v2/search", { headers: { authorization: `Bearer ${key}` }, body })
  return { engine, search, service, site }
})

const urls = (list: ReadonlyArray<{ url: string }> | undefined) => list?.map(({ url }) => url)

describe("a search", () => {
  it.live("answers pages that the team has read, each with the passage that answers", () =>
    Effect.gen(function* () {
      const { search } = yield* shop()
      const { body, status } = yield* search({ query: "price of the oak lamp in euros", limit: 2 })

      expect(status).toBe(200)
      expect(body).toEqual({
        success: true,
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        data: {
          web: [
            {
              url: "http://site.test/oak",
              title: expect.any(String),
              description: expect.stringContaining("The oak lamp costs 89 euros."),
              position: 1
            },
            expect.objectContaining({ position: 2 })
          ]
        },
        creditsUsed: 2
      })
    })
  )

  it.live("answers a query without a word with a warning, and not with every page", () =>
    Effect.gen(function* () {
      const { search } = yield* shop()
      for (const query of ['"', '""', "-", "😀"]) {
        const { body, status } = yield* search({ query, includeDomains: ["site.test"] })

        expect([status, body.data.web, body.warning]).toEqual([
          200,
          [],
          "the query has no word to look for in the pages that were read"
        ])
      }
      expect((yield* search({ query: "site:site.test" })).body.data.web).toHaveLength(3)
    })
  )

  it.live("takes every field that public clients send, and null for silence", () =>
    Effect.gen(function* () {
      const { search } = yield* shop()
      const { body, status } = yield* search({
        query: "lamp",
        limit: 5,
        sources: [{ type: "web" }, "alexandria", "news", { type: "images" }],
        categories: null,
        includeDomains: ["site.test"],
        tbs: null,
        location: "Germany",
        country: "DE",
        filter: "x",
        ignoreInvalidURLs: true,
        timeout: 20_000,
        highlights: true,
        enterprise: ["default"],
        scrapeOptions: null,
        asyncScraping: false,
        integration: "cli",
        origin: "mcp",
        toolDetail: "compact",
        domainTools: true,
        threatProtection: {},
        auditMetadata: {}
      })

      expect(status).toBe(200)
      expect(urls(body.data.web)).toHaveLength(3)
      expect([body.data.news, body.data.images, body.data.tools]).toEqual([[], [], []])
      expect(body.warning).toContain("this service has no web search")
    })
  )

  it.live("scrapes its results where it is asked to, and says of each that it cannot", () =>
    Effect.gen(function* () {
      const { search, service } = yield* shop(
        results(
          { url: "http://site.test/gone", title: "Gone", content: "lamp" },
          { url: "http://nowhere.invalid/", title: "Nowhere", content: "lamp" },
          { url: "http://127.0.0.1/", title: "Inside", content: "lamp" }
        )
      )
      const request = { query: "oak lamp", limit: 6, scrapeOptions: { formats: ["markdown", { type: "links" }] } }
      const { body } = yield* search(request)
      const of = (url: string) => body.data.web.find((hit: { url: string }) => hit.url === url)
      const oak = of("http://site.test/oak")
      const kept = yield* service.ask("GET", `/v2/scrape/${oak.metadata.scrapeId}`, {
        headers: { authorization: "Bearer a" }
      })
      const reachable = yield* search({ ...request, ignoreInvalidURLs: true })

      expect(oak).toMatchObject({
        position: 1,
        description: expect.any(String),
        links: [],
        metadata: { statusCode: 200 }
      })
      expect(oak.markdown).toContain("The oak lamp costs 89 euros.")
      expect(of("http://site.test/gone").metadata.statusCode).toBe(404)
      expect(of("http://nowhere.invalid/").warning).toMatch(/^not scraped: /)
      expect(of("http://127.0.0.1/").warning).toMatch(/^not scraped: .*127\.0\.0\.1/)
      expect(body.creditsUsed).toBe(2 + 4)
      expect(kept.body.data.markdown).toBe(oak.markdown)
      expect(urls(reachable.body.data.web)).toEqual(
        expect.not.arrayContaining(["http://nowhere.invalid/", "http://127.0.0.1/"])
      )
      expect(reachable.body.data.web.map(({ position }: { position: number }) => position)).toEqual([1, 2, 3, 4])
    })
  )

  it.live("has what the web answers beside it by turns, each page once", () =>
    Effect.gen(function* () {
      const { engine, search } = yield* shop(
        results(
          { url: "https://www.site.test/oak/", title: "The same page", content: "x" },
          { url: "http://web.test/a", title: "A", content: "first" },
          { url: "http://web.test/b", title: "B" }
        )
      )
      const { body } = yield* search({ query: "oak lamp", tbs: "qdr:w" })
      const all = yield* search({ query: "oak lamp" })

      expect(urls(body.data.web)).toEqual(["https://www.site.test/oak/", "http://web.test/a", "http://web.test/b"])
      expect(urls(all.body.data.web)).toEqual([
        "http://site.test/oak",
        "http://site.test/",
        "http://web.test/a",
        "http://site.test/ash",
        "http://web.test/b"
      ])
      expect(engine.requests[0]).toBe("/search?q=oak+lamp&format=json&time_range=week")
    })
  )

  it.live("confines what the web answers to hosts and kinds, and tells the engine", () =>
    Effect.gen(function* () {
      const { engine, search } = yield* shop(
        results(
          { url: "https://github.com/a/lamp", title: "A" },
          { url: "http://web.test/lamp.pdf", title: "B" },
          { url: "http://sub.web.test/lamp", title: "C" },
          { url: "http://bad.test/lamp", title: "D" }
        )
      )
      const included = yield* search({ query: "lamp", includeDomains: ["web.test"] })
      const excluded = yield* search({ query: "lamp -site:github.com", excludeDomains: ["site.test", "bad.test"] })
      const kinds = yield* search({ query: "lamp", categories: ["github", { type: "pdf" }] })

      expect(urls(included.body.data.web)).toEqual(["http://web.test/lamp.pdf", "http://sub.web.test/lamp"])
      expect(urls(excluded.body.data.web)).toEqual(["http://web.test/lamp.pdf", "http://sub.web.test/lamp"])
      expect(kinds.body.data.web).toMatchObject([{ category: "github" }, { category: "pdf" }])
      expect(engine.requests.map((path) => new URLSearchParams(path.split("?")[1]).get("q"))).toEqual([
        "lamp site:web.test",
        "lamp -site:github.com -site:site.test -site:bad.test",
        "lamp site:github.com"
      ])
    })
  )

  it.live("has news and images of the web search, in the fields that clients read", () =>
    Effect.gen(function* () {
      const { engine, search } = yield* shop(
        results({
          url: "http://web.test/a",
          title: "A",
          content: "first",
          publishedDate: "2026-01-02T00:00:00",
          img_src: "http://web.test/a.png",
          resolution: "640 x 480"
        })
      )
      const { body } = yield* search({ query: "lamp", sources: ["news", "images"] })

      expect(body.data).toEqual({
        news: [
          {
            url: "http://web.test/a",
            title: "A",
            snippet: "first",
            date: expect.stringMatching(/^2026-01-0/),
            position: 1
          }
        ],
        images: [
          {
            url: "http://web.test/a",
            title: "A",
            imageUrl: "http://web.test/a.png",
            imageWidth: 640,
            imageHeight: 480,
            position: 1
          }
        ]
      })
      expect(engine.requests.map((path) => new URLSearchParams(path.split("?")[1]).get("categories"))).toEqual([
        "news",
        "images"
      ])
    })
  )

  it.live(
    "goes on without a web search that fails, with a warning, and fails with it where nothing else was asked",
    () =>
      Effect.gen(function* () {
        const { search } = yield* shop(file("text/html", "oops", 500))
        const both = yield* search({ query: "oak lamp" })
        const alone = yield* search({ query: "oak lamp", sources: ["news"] })

        expect([both.status, both.body.data.web.length]).toEqual([200, 3])
        expect(both.body.warning).toContain("cannot be used: answers 500")
        expect(alone.status).toBe(502)
        expect(alone.body.error).toMatch(/^Bad Gateway: the web search at .* answers 500$/)
      })
  )

  it.live("names providers of data that have what the words ask for; none where none are configured", () =>
    Effect.gen(function* () {
      const { search } = yield* shop(undefined, { providers: [gazetteer] })
      const bare = yield* shop()
      const { body } = yield* search({ query: "capital and currency of each country", sources: ["alexandria"] })

      expect(body.data).toEqual({
        tools: [{ provider: "sample-gazetteer", capability: "countries/lookup", description: expect.any(String) }]
      })
      expect(body.creditsUsed).toBe(0)
      expect(
        (yield* bare.search({ query: "capital and currency of each country", sources: ["alexandria"] })).body.data
      ).toEqual({ tools: [] })
    })
  )

  it.live("is told what is wrong with it", () =>
    Effect.gen(function* () {
      const { search } = yield* shop()
      const wrong = [
        { query: " " },
        {},
        { query: "x", limit: 0 },
        { query: "x", limit: 101 },
        { query: "x", sources: ["books"] },
        { query: "x", includeDomains: ["a.test"], excludeDomains: ["b.test"] },
        { query: "x", includeDomains: ["no host"] },
        { query: "x", tbs: "yesterday" },
        { query: "x", deep: true },
        { query: "x", scrapeOptions: { formats: ["nothing"] } },
        { query: "x".repeat(2001) }
      ]
      const answers = yield* Effect.forEach(wrong, (body) => search(body))

      expect(answers.map(({ body, status }) => [status, body.details?.[0]?.path[0]])).toEqual(
        [
          "query",
          "query",
          "limit",
          "limit",
          "sources",
          "excludeDomains",
          "includeDomains",
          "tbs",
          "deep",
          "scrapeOptions",
          "query"
        ].map((field) => [400, field])
      )
    })
  )

  it.live("needs a key with the scope, credits that cover it, and finds nothing of other teams", () =>
    Effect.gen(function* () {
      const key = (name: string, plan: Partial<Plan.Plan> = {}) => ({
        key: Redacted.make(name),
        teamId: name,
        plan: { ...Plan.standard, ...plan }
      })
      const keys = [key("a", { credits: 16 }), key("b"), key("c", { scopes: ["scrape"] })]
      const { search } = yield* shop(undefined, { keys })
      const ours = yield* search({ query: "lamp" })
      const theirs = yield* search({ query: "lamp" }, "b")
      const without = yield* search({ query: "lamp" }, "c")
      const unknown = yield* search({ query: "lamp" }, "x")
      const dear = yield* search({ query: "lamp", limit: 10, scrapeOptions: {} })

      expect([urls(ours.body.data.web)?.length, ours.body.creditsUsed]).toEqual([3, 2])
      expect([theirs.body.data.web, theirs.body.creditsUsed]).toEqual([[], 0])
      expect([without.status, unknown.status, dear.status]).toEqual([403, 401, 402])
      expect(dear.body.error).toContain("this may cost 12, and 11 remain")
    })
  )

  it.live("ends when its time does: a web search that is slow is 408, a page that is slow is a warning", () =>
    Effect.gen(function* () {
      const slowEngine = yield* shop(() => {})
      const late = yield* slowEngine.search({ query: "lamp", timeout: 1000 })
      const slowPage = yield* scriptedSite({ "/slow": () => {} })
      const { search } = yield* shop(results({ url: "http://slow.test/slow", title: "Slow" }), {
        resolve: hosts(slowPage.port, "slow.test")
      })
      const { body } = yield* search({ query: "lamp", timeout: 1500, scrapeOptions: {} })

      expect([late.status, late.body.error]).toEqual([408, "Request Timeout: the search took longer than 1000 ms"])
      expect(body.data.web).toMatchObject([
        { url: "http://slow.test/slow", warning: "not scraped: the timeout of the search was reached" }
      ])
    })
  )
})
