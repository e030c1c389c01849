import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import { clientFields } from "#contract/api/ClientFields"
import { CrawlRequest } from "#contract/Crawl"
import * as Plan from "#service/AccountPlan"
import { crawlSite, origin } from "./crawlSite.ts"
import { receiver } from "./receiver.ts"
import { type Answer, file, page, redirect, scriptedSite } from "./scriptedSite.ts"
import { hosts, served } from "./served.ts"

/** One site on which every parameter of the specification's table makes a difference. Other hosts answer the same. */
const site = {
  "/robots.txt": file("text/plain", "User-agent: *\nDisallow: /private\n\nUser-agent: Special\nDisallow: /docs/b\n"),
  "/sitemap.xml": file("application/xml", `<urlset><url><loc>${origin}/docs/mapped</loc></url></urlset>`),
  "/docs/": page(
    "docs",
    "/docs/a",
    "/docs/b",
    "/docs/a?page=2",
    "/other",
    "/private/x",
    "http://other.test/o",
    "http://other.test/",
    "http://sub.site.test/docs/s",
    "/away"
  ),
  "/docs/a": page("a", "/docs/a/deep"),
  "/docs/a/deep": page("deep", "/docs/a/deep/deeper"),
  "/docs/a/deep/deeper": page("deeper"),
  "/docs/b": page("b"),
  "/docs/mapped": page("mapped"),
  "/docs/s": page("s"),
  "/other": page("other"),
  "/private/x": page("x"),
  "/o": page("o", "/docs/further"),
  "/away": redirect("http://other.test/o")
}
const all = ["/docs/", "/docs/a", "/docs/a/deep", "/docs/a/deep/deeper", "/docs/a?page=2", "/docs/b", "/docs/mapped"]

const allForSpecial = all.filter((path) => path !== "/docs/b")
const allIgnoringRobots = [...all, "/other", "/private/x"]

const rows: ReadonlyArray<readonly [parameter: string, request: Partial<CrawlRequest>, pages: ReadonlyArray<string>]> =
  [
    ["url: the start, and what is below it", {}, all],
    ["maxDiscoveryDepth 0: the start and the sitemap", { maxDiscoveryDepth: 0 }, ["/docs/", "/docs/mapped"]],
    ["maxDiscoveryDepth 1: one hop more", { maxDiscoveryDepth: 1 }, all.filter((path) => !path.includes("deep"))],
    [
      "includePaths: matched on the path, the start too",
      { includePaths: ["/a"] },
      ["/docs/a", "/docs/a/deep", "/docs/a/deep/deeper", "/docs/a?page=2"]
    ],
    [
      "excludePaths: matching paths are skipped",
      { excludePaths: ["deep", "/b$"] },
      ["/docs/", "/docs/a", "/docs/a?page=2", "/docs/mapped"]
    ],
    [
      "regexOnFullURL: the query is matched too",
      { includePaths: ["page=2|docs/$"], regexOnFullURL: true },
      ["/docs/", "/docs/a?page=2"]
    ],
    ["without regexOnFullURL the query is not", { excludePaths: ["page=2"] }, all],
    ["crawlEntireDomain: siblings and parents too", { crawlEntireDomain: true }, [...all, "/other"]],
    ["allowSubdomains: links to subdomains", { allowSubdomains: true }, [...all, "http://sub.site.test/docs/s"]],
    [
      "allowExternalLinks: one hop off the domain, no home pages",
      { allowExternalLinks: true },
      [...all, "http://other.test/o", "http://sub.site.test/docs/s"]
    ],
    ["sitemap skip: HTML links only", { sitemap: "skip" }, all.filter((path) => path !== "/docs/mapped")],
    ["sitemap only: no HTML links", { sitemap: "only" }, ["/docs/", "/docs/mapped"]],
    [
      "ignoreQueryParameters: one page for all queries",
      { ignoreQueryParameters: true },
      all.filter((path) => !path.includes("?"))
    ],
    ["robotsUserAgent: the rules of that agent", { robotsUserAgent: "Special" }, allForSpecial],
    ["ignoreRobotsTxt: what it disallows too", { ignoreRobotsTxt: true, crawlEntireDomain: true }, allIgnoringRobots]
  ]

/** A plan that allows what the specification calls enterprise only. */
const everything = { ...Plan.open, robotsControl: true }
const hostNames = ["site.test", "other.test", "sub.site.test"]

describe("the crawl parameter", () => {
  /** The first word of each title is a parameter. */
  const covered = new Set<string>()
  const row = (title: string, test: Effect.Effect<void, unknown>) => {
    covered.add(/^\w+/.exec(title.replace("without ", ""))?.[0] ?? "")
    it.live(title, () => test)
  }
  const crawl = (request: Partial<CrawlRequest>) =>
    crawlSite(site, { url: `${origin}/docs/`, ...request }, hostNames, everything)

  for (const [parameter, request, pages] of rows) {
    row(
      parameter,
      Effect.gen(function* () {
        const { paths, status } = yield* crawl(request)

        expect(paths).toEqual(pages.toSorted())
        expect(status).toMatchObject({ status: "completed", total: pages.length, completed: pages.length })
        const { discovered = 0, scraped = 0, failed = 0, blocked = 0, left = 0 } = status.ledger ?? {}
        expect(discovered).toBe(scraped + failed + blocked + left)
      })
    )
  }

  row(
    "limit: pages at most, in a crawl that knows of more",
    Effect.gen(function* () {
      const { documents, status } = yield* crawl({ limit: 4 })

      expect(documents).toHaveLength(4)
      expect(status.ledger?.left).toBeGreaterThan(0)
    })
  )

  row(
    "delay: the same pages, one at a time, even where more are allowed",
    Effect.gen(function* () {
      const { paths, peak } = yield* crawl({ delay: 0.01, maxConcurrency: 8 })

      expect(paths).toEqual(all.toSorted())
      expect(peak).toBe(1)
    })
  )

  row(
    "maxConcurrency: as many pages at once, and no more",
    Effect.gen(function* () {
      // Each page is held back until three are asked for.
      let open: Array<() => void> = []
      const held: Answer = (_request, response) => {
        open.push(() => response.setHeader("content-type", "text/html").end(page("held")))
        if (open.length < 3) return
        for (const answer of open) answer()
        open = []
      }
      const links = Array.from({ length: 12 }, (_, index) => `/${index}`)
      const routes = { "/": page("home", ...links), ...Object.fromEntries(links.map((path) => [path, held])) }
      const { documents, peak } = yield* crawlSite(routes, { maxConcurrency: 3, sitemap: "skip" })

      expect(documents).toHaveLength(13)
      expect(peak).toBe(3)
    })
  )

  row(
    "scrapeOptions: apply to every page",
    Effect.gen(function* () {
      const { documents } = yield* crawl({ scrapeOptions: { formats: ["links", "html"] } })

      for (const document of documents) expect(Object.keys(document).toSorted()).toEqual(["html", "links", "metadata"])
    })
  )

  row(
    "prompt: words become options, and options that are set win",
    Effect.gen(function* () {
      const prompt = "at most 3 pages, without the sitemap"
      const asked = yield* crawl({ prompt })
      const set = yield* crawl({ prompt, limit: 2 })

      expect([asked.documents.length, set.documents.length]).toEqual([3, 2])
      expect([...asked.requests, ...set.requests]).not.toContain("/sitemap.xml")
    })
  )

  row(
    "webhook: is told of the events that it names, with its metadata",
    Effect.gen(function* () {
      const hook = yield* receiver()
      const scripted = yield* scriptedSite({ ...site, "/hook": hook.answer })
      const { ask } = yield* served({ resolve: hosts(scripted.port) })
      const webhook = { url: `${origin}/hook`, events: ["started", "completed"], metadata: { run: "7" } }
      yield* ask("POST", "/v2/crawl", { body: { url: `${origin}/docs/`, webhook } })
      const told = yield* hook.untilEnd

      expect(told.map(({ payload }) => [payload.type, payload.metadata])).toEqual([
        ["crawl.started", { run: "7" }],
        ["crawl.completed", { run: "7" }]
      ])
    }).pipe(Effect.scoped)
  )

  it("of every name in the contract has a row here", () => {
    const names = Object.keys(CrawlRequest.fields).filter((name) => !(name in clientFields))

    expect([...covered].toSorted()).toEqual(names.toSorted())
  })
})

describe("the crawl rule", () => {
  const start = (request: Partial<CrawlRequest>, plan: Partial<Plan.Plan> = {}) =>
    Effect.gen(function* () {
      const scripted = yield* scriptedSite(site)
      const keys = [{ key: Redacted.make("fc-a"), teamId: "a", plan: { ...Plan.standard, ...plan } }]
      const { ask } = yield* served({ resolve: hosts(scripted.port), keys })
      const body = { url: `${origin}/docs/`, ...request }
      const answer = yield* ask("POST", "/v2/crawl", { body, headers: { authorization: "Bearer fc-a" } })
      return { status: answer.status, error: answer.body.error, requests: scripted.requests }
    }).pipe(Effect.scoped)

  it.live("1: patterns are RE2's: lookaround and backreferences are 400, its own syntax is taken", () =>
    Effect.gen(function* () {
      for (const pattern of ["a(?=b)", "a(?!b)", "(?<=a)b", "(?<!a)b", "(a)\\1", "(", "a**", "[z-a]"]) {
        const { status, error } = yield* start({ excludePaths: [pattern] })
        expect([pattern, status, error]).toEqual([pattern, 400, expect.stringContaining("is not an RE2 pattern")])
      }
      const { paths } = yield* crawlSite(site, {
        url: `${origin}/docs/`,
        includePaths: ["(?i)^/DOCS/$", "\\A/docs/(?P<page>a|b)\\z"]
      })

      expect(paths).toEqual(["/docs/", "/docs/a", "/docs/a?page=2", "/docs/b"])
    })
  )

  it.live("2: a thousand patterns, of 2000 characters each, and 100,000 characters in all, and not one more", () =>
    Effect.gen(function* () {
      const patterns = (count: number, length: number) => Array<string>(count).fill("x".repeat(length))
      const statuses = yield* Effect.forEach(
        [
          { includePaths: patterns(1000, 1) },
          { includePaths: patterns(1001, 1) },
          { excludePaths: patterns(1, 2000) },
          { excludePaths: patterns(1, 2001) },
          { includePaths: patterns(600, 1), excludePaths: patterns(400, 1) },
          { includePaths: patterns(600, 1), excludePaths: patterns(401, 1) },
          { includePaths: patterns(25, 2000), excludePaths: patterns(25, 2000) },
          { includePaths: patterns(25, 2000), excludePaths: [...patterns(25, 2000), "x"] }
        ],
        (request) => Effect.map(start({ limit: 1, ...request }), ({ status }) => status)
      )

      expect(statuses).toEqual([200, 400, 200, 400, 200, 400, 200, 400])
    })
  )

  it.live("3: one short pattern for each term works for as many as there may be", () =>
    Effect.gen(function* () {
      const includePaths = [...Array.from({ length: 998 }, (_, term) => `term-${term}`), "deep", "docs/$"]
      const { paths } = yield* crawlSite(site, { url: `${origin}/docs/`, includePaths, maxDiscoveryDepth: 1 })

      expect(paths).toEqual(["/docs/"])
    })
  )

  it.live("4: a limit that the credits do not cover is 402, and the site is not asked", () =>
    Effect.gen(function* () {
      const short = yield* start({}, { credits: 9999 })
      const covered = yield* start({}, { credits: 10_000 })

      expect([short.status, covered.status]).toEqual([402, 200])
      expect(short.requests).toEqual([])
    })
  )

  it.live("5: robots.txt is honoured, and what it blocks is told", () =>
    Effect.gen(function* () {
      const { blocked, requests } = yield* crawlSite(site, { url: `${origin}/docs/`, crawlEntireDomain: true })

      expect(blocked).toEqual(["/private/x"])
      expect(requests).not.toContain("/private/x")
    })
  )

  it.live("6: with maxConcurrency 1 and only a sitemap, or none, two runs give the same pages in the same order", () =>
    Effect.gen(function* () {
      const order = (request: Partial<CrawlRequest>) =>
        Effect.map(crawlSite(site, { url: `${origin}/docs/`, maxConcurrency: 1, ...request }), ({ documents }) =>
          documents.map(({ metadata }) => metadata.url)
        )
      for (const sitemap of ["only", "skip"] as const) {
        expect(yield* order({ sitemap })).toEqual(yield* order({ sitemap }))
      }
    })
  )
})
