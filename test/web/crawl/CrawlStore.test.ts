/** What a crawl needs of a store, held against each that there is: one that passes is enough to crawl without a service. */
import { describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { expect } from "vitest"
import * as Segment from "#base/Segment"
import * as AliasParameters from "#contract/AliasParameters"
import type { PageDocument } from "#contract/PageDocument"
import * as PageUrl from "#contract/PageUrl"
import { Browser } from "#web/Browser"
import * as Crawler from "#web/Crawler"
import type { CrawlPlan } from "#web/CrawlPlan"
import { CrawlStore } from "#web/CrawlStore"
import * as LedgerFile from "#web/embedded/LedgerFile"
import { crawlStore, jobStore } from "#web/embedded/ledgerStores"
import { Fetch } from "#web/Fetch"
import { FileReader } from "#web/FileReader"
import type { Job } from "#web/Job"
import { JobStore } from "#web/JobStore"
import { PageAnswers } from "#web/PageAnswers"
import * as PathFilter from "#web/PathFilter"
import { PoliteFetch } from "#web/PoliteFetch"
import { Politeness } from "#web/Politeness"
import { SchemaFiller } from "#web/SchemaFiller"
import * as ScrapePlan from "#web/ScrapePlan"
import { Scraper } from "#web/Scraper"
import { SiteRules } from "#web/SiteRules"
import { unpaid } from "#web/Turns"
import { quick } from "../../service/quick.ts"
import { type Answer, file, gate, page, redirect, scriptedSite } from "../../service/scriptedSite.ts"
import { stores } from "../../service/serviceParts.ts"
import { layerMemory } from "./memoryStores.ts"

const origin = "http://site.test"

const job: Job = {
  id: "0190c0de-0000-7000-8000-000000000001",
  kind: "crawl",
  teamId: "team",
  url: `${origin}/`,
  request: "{}",
  status: "scraping",
  createdAt: 1,
  completedAt: null,
  error: null,
  warning: null
}

const planOf = Effect.fnUntraced(function* (own: Partial<CrawlPlan>) {
  const filter = yield* PathFilter.ofPatterns({ includePaths: [], excludePaths: [], regexOnFullURL: false })
  const plan: CrawlPlan = {
    rules: {
      start: new URL(`${origin}/`),
      maxDiscoveryDepth: undefined,
      crawlEntireDomain: false,
      isOfDomain: undefined,
      allowExternalLinks: false,
      filter
    },
    limit: 100,
    sitemap: "include",
    identity: PageUrl.plainly(false),
    settling: undefined,
    ignoreRobotsTxt: false,
    robotsUserAgent: undefined,
    delayMillis: 0,
    concurrency: 8,
    patience: quick,
    scrape: yield* ScrapePlan.ofOptions(),
    ...own
  }
  return plan
})

/** What reads the pages of the site at this port. Nobody fills schemas. */
const reading = (port: number) => {
  const guard = { allowPrivate: false, resolve: new Map([["site.test", { address: "127.0.0.1", port }]]) }
  const politeness = Politeness.layer({ perHost: 8 })
  const network = SiteRules.layer.pipe(
    Layer.provideMerge(PoliteFetch.layer),
    Layer.provide([Fetch.layer(guard), politeness])
  )
  const filler = Layer.succeed(SchemaFiller, { fill: () => Effect.die("nobody asks for data"), version: 1 })
  const answers = Layer.succeed(PageAnswers, {
    answer: () => Effect.die("nobody asks questions"),
    highlights: () => Effect.die("nobody asks questions")
  })
  const scraper = Scraper.layer.pipe(
    Layer.provide([Browser.layer(guard), FileReader.layer, Fetch.layer(guard), politeness, filler, answers])
  )
  return Layer.merge(network, scraper)
}

const turns = unpaid()

const path = (url: string) => url.replace(origin, "")

/** The one job of a ledger over segments; what is remembered of single pages is another's. */
const layerSegments = Layer.effectContext(
  Effect.gen(function* () {
    const file = yield* LedgerFile.open({
      blocks: Segment.memory(),
      progress: Segment.memory(),
      known: Segment.memory()
    })
    let isOver = false
    const guarded = <A, E>(write: Effect.Effect<A, E>) => Effect.suspend(() => (isOver ? Effect.interrupt : write))
    const store = crawlStore(file)
    const jobs = JobStore.of({
      ...jobStore(file),
      finish: () =>
        Effect.suspend(() => {
          if (isOver) return Effect.succeed(false)
          isOver = true
          return Effect.as(Effect.orDie(file.take({ _tag: "Finished", at: 1 })), true)
        })
    })
    const owned = CrawlStore.of({
      ...store,
      discover: (...args) => guarded(store.discover(...args)),
      settle: (...args) => guarded(store.settle(...args))
    })
    return Context.make(JobStore, jobs).pipe(Context.add(CrawlStore, owned))
  })
).pipe(Layer.provideMerge(layerMemory), Layer.orDie)

const each = [
  ["in memory", layerMemory],
  ["over SQL", Layer.orDie(stores(":memory:"))],
  ["over segments", layerSegments]
] as const

describe.each(each)("a crawl whose store is %s", (_name, layer) => {
  /** A site, a store that has the job, and how a process crawls it. */
  const crawling = Effect.fnUntraced(function* (
    routes: Readonly<Record<string, Answer>>,
    own: Partial<CrawlPlan> = {}
  ) {
    const site = yield* scriptedSite(routes)
    const context = yield* Layer.build(reading(site.port).pipe(Layer.provideMerge(Layer.fresh(layer))))
    const jobs = Context.get(context, JobStore)
    const store = Context.get(context, CrawlStore)
    const plan = yield* planOf(own)
    yield* jobs.create(job)
    const crawl = Effect.provideContext(Crawler.run(job, plan, turns), context)
    const toEnd = Effect.andThen(crawl, jobs.finish(job.id, { status: "completed" }, "owner"))
    const gave = Effect.gen(function* () {
      const { documents, remaining } = yield* store.chunk(job.id, 0, 1000)
      const pages = documents.map((text): PageDocument => JSON.parse(text)) // as the crawler wrote them
      const { credits, queued, ...ledger } = yield* store.ledger(job.id)
      return {
        paths: pages.map(({ metadata }) => path(metadata.url)),
        titles: pages.map(({ metadata }) => metadata["title"]),
        remaining,
        credits,
        queued,
        ledger,
        errors: (yield* store.failures(job.id)).map(({ code, url }) => [path(url), code]),
        blocked: (yield* store.blocked(job.id)).map(path).toSorted()
      }
    })
    return { crawl, gave, jobs, requests: site.requests, store, toEnd }
  })

  it.live("finds every page that links lead to, once", () =>
    Effect.gen(function* () {
      const { gave, toEnd } = yield* crawling({
        "/": page("home", "/a", "/b/", "/a#part", "./a?x=1", "mailto:x@y.z", "javascript:void(0)", "data:text/html,x"),
        "/a": page("a", "/", "/b", "http://WWW.site.test/a"),
        "/b/": page("b", "/index.html", "https://site.test/a/", "/logo.png"),
        "/robots.txt": file("text/plain", "")
      })
      yield* toEnd
      const { credits, ledger, paths, remaining } = yield* gave

      expect(paths.toSorted()).toEqual(["/", "/a", "/a?x=1", "/b/"])
      expect(ledger).toEqual({ discovered: 5, scraped: 4, failed: 1, blocked: 0, left: 0, aliases: 0 })
      expect([credits, remaining]).toEqual([4, 0])
    }).pipe(Effect.scoped)
  )

  it.live("gives each URL one end: a document, a failure, a block, an alias, or left", () =>
    Effect.gen(function* () {
      const { gave, toEnd } = yield* crawling(
        {
          "/": page("home", "/old", "/older", "/new", "/loop", "/secret"),
          "/old": redirect("/new", 301),
          "/older": redirect("old"),
          "/new": page("new", "/1", "/2", "/3"),
          "/loop": redirect("/loop2"),
          "/loop2": redirect("/loop"),
          "/1": page("1"),
          "/2": page("2"),
          "/3": page("3"),
          "/robots.txt": file("text/plain", "User-agent: *\nDisallow: /secret")
        },
        { limit: 4 }
      )
      yield* toEnd
      const { blocked, errors, ledger, queued } = yield* gave

      expect(ledger).toEqual({ discovered: 7, scraped: 4, failed: 1, blocked: 1, left: 1, aliases: 2 })
      expect(errors).toEqual([["/loop", "SCRAPE_REDIRECT_LOOP"]])
      expect([blocked, queued]).toEqual([["/secret"], 0])
    }).pipe(Effect.scoped)
  )

  it.live("goes on where its store says it was, and asks for no page twice that has ended", () =>
    Effect.gen(function* () {
      const slow = gate(page("slow", "/late"))
      const { crawl, gave, requests, toEnd } = yield* crawling({
        "/": page("home", "/a", "/slow"),
        "/a": page("a"),
        "/slow": slow.answer,
        "/late": page("late")
      })
      const first = yield* Effect.forkChild(crawl)
      yield* slow.reached
      while ((yield* gave).ledger.scraped < 2) yield* Effect.sleep(1)
      yield* Fiber.interrupt(first)
      const before = yield* gave
      yield* slow.open
      yield* toEnd
      const after = yield* gave

      expect([before.ledger.scraped, before.queued]).toEqual([2, 1])
      expect(after.paths.toSorted()).toEqual(["/", "/a", "/late", "/slow"])
      expect(requests.filter((asked) => asked === "/" || asked === "/a")).toEqual(["/", "/a"])
    }).pipe(Effect.scoped)
  )

  it.live("tells documents in their places where it settles, and none before", () =>
    Effect.gen(function* () {
      const slow = gate(page("z"))
      const settling = { trapBudget: 0, spellings: new Set<string>(), isRendered: false, after: undefined }
      const scrape = { ...(yield* ScrapePlan.ofOptions()), isExtended: true }
      const { gave, store, toEnd } = yield* crawling(
        {
          "/": page("home", "/z", "/docs/index.html", "/docs/", "/a"),
          "/docs/index.html": page("docs"),
          "/docs/": page("docs"),
          "/a": page("a"),
          "/z": slow.answer
        },
        {
          settling,
          identity: { ignoreQuery: false, routes: false, indexIsFolder: false, isAlias: AliasParameters.isAlias },
          scrape
        }
      )
      const run = yield* Effect.forkChild(toEnd)
      yield* slow.reached
      const early = yield* gave
      yield* slow.open
      yield* Fiber.join(run)
      const { ledger, paths, titles } = yield* gave

      expect([early.paths, yield* store.count(job.id)]).toEqual([[], 4])
      expect(paths).toEqual(["/", "/a", "/docs/", "/z"])
      expect(titles).toEqual(["home", "a", "docs", "z"])
      expect(ledger).toMatchObject({ discovered: 4, scraped: 4, aliases: 1 })
    }).pipe(Effect.scoped)
  )

  it.live("writes nothing more of a job that has ended", () =>
    Effect.gen(function* () {
      const { jobs, gave, toEnd } = yield* crawling({ "/": page("home") })
      yield* jobs.finish(job.id, { status: "cancelled" }, "anybody")
      const end = yield* Effect.exit(toEnd)

      expect(end._tag).toBe("Failure")
      expect((yield* gave).ledger.discovered).toBe(0)
      expect(yield* jobs.finish(job.id, { status: "completed" }, "owner")).toBe(false)
    }).pipe(Effect.scoped)
  )
})
