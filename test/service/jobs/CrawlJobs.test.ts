import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { NotFound } from "#contract/Errors"
import { WebData } from "#contract/WebData"
import { Extractor } from "#extract/Extractor"
import { Catalog } from "#service/Catalog"
import { CrawlJobs } from "#service/jobs/CrawlJobs"
import { layerSearch } from "#service/layerSearch"
import * as ServiceConfig from "#service/ServiceConfig"
import { AgentModel } from "#web/AgentModel"
import { CrawlStore } from "#web/CrawlStore"
import { Fetch } from "#web/Fetch"
import { JobStore } from "#web/JobStore"
import { withTries } from "#web/Patience"
import { PoliteFetch } from "#web/PoliteFetch"
import { Politeness } from "#web/Politeness"
import { SiteRules } from "#web/SiteRules"
import { StoreError } from "#web/StoreError"
import { crawlSite, embedded, origin, readToEnd, scraper, unheard } from "../crawlSite.ts"
import { behindPort, onPostgres } from "../databases.ts"
import { type Answer, file, gate, page, redirect, scriptedSite } from "../scriptedSite.ts"
import { hosts } from "../served.ts"
import { Accounts, Jobs, stores } from "../serviceParts.ts"

const pathsOf = (documents: ReadonlyArray<{ readonly metadata: { readonly url: string } }>) =>
  documents.map(({ metadata }) => metadata.url.replace(origin, "")).toSorted()

/** The jobs alone, over a store in which these parts are different. */
/** Where the clock is the test's, nobody waits for a page that is broken. */
const config = { ...ServiceConfig.defaults, patience: withTries(1) }

const jobsOver = (
  database: ServiceConfig.ServiceConfig["database"],
  port: number,
  different: {
    readonly pages?: (store: CrawlStore["Service"]) => Partial<CrawlStore["Service"]>
    readonly jobs?: (store: JobStore["Service"]) => Partial<JobStore["Service"]>
  }
) => {
  const pages = Layer.effect(
    CrawlStore,
    Effect.map(CrawlStore, (store) => CrawlStore.of({ ...store, ...different.pages?.(store) }))
  )
  const jobs = Layer.effect(
    JobStore,
    Effect.map(JobStore, (store) => JobStore.of({ ...store, ...different.jobs?.(store) }))
  )
  const store = Layer.merge(pages, jobs).pipe(Layer.provideMerge(stores(database)))
  const accounts = Accounts.layer(ServiceConfig.defaults).pipe(Layer.provideMerge(store))
  const network = SiteRules.layer.pipe(
    Layer.provideMerge(PoliteFetch.layer),
    Layer.provide([Fetch.layer({ allowPrivate: false, resolve: hosts(port) }), Politeness.layer({ perHost: 8 })])
  )
  return CrawlJobs.layer(config).pipe(
    Layer.provideMerge(Jobs.layer(config)),
    Layer.provideMerge([
      accounts,
      network,
      scraper,
      unheard,
      Extractor.layerRules,
      AgentModel.layerRules,
      Catalog.layer(),
      layerSearch({}).pipe(Layer.provide(accounts))
    ])
  )
}

/** A start page that redirects, a sitemap, redirects, a loop whose both ends are linked, a failure, a block. */
const oddSite = (slow: Answer): Readonly<Record<string, Answer>> => ({
  "/": redirect("/home"),
  "/home": page("home", "/a", "/b", "/old", "/loop-1", "/loop-2", "/broken", "/secret", "/slow", "/c"),
  "/a": page("a", "/", "/home", "/old", "/d"),
  "/b": page("b", "/a/", "/d"),
  "/old": redirect("/new"),
  "/loop-1": redirect("/loop-2"),
  "/loop-2": redirect("/loop-1"),
  "/broken": (request) => request.socket.destroy(),
  "/slow": slow,
  "/c": page("c", "/e", "/old", "/new", "/"),
  "/d": page("d", "/home"),
  "/e": page("e"),
  "/new": page("new"),
  "/mapped": page("mapped"),
  "/robots.txt": file("text/plain", "User-agent: *\nDisallow: /secret"),
  "/sitemap.xml": file("text/plain", `${origin}/mapped\n${origin}/a`)
})

behindPort("a crawl job", (on) => {
  it.live("goes on where it was when the service is started again, and gives what it would have given", () =>
    Effect.gen(function* () {
      const database = yield* on.fresh
      const slow = gate(page("slow", "/from-slow"))
      const site = yield* scriptedSite({ ...oddSite(slow.answer), "/from-slow": page("late") })
      const service = Layer.fresh(embedded(site.port, undefined, { database }))

      const id = yield* Effect.gen(function* () {
        const { crawl } = yield* WebData
        const { id } = yield* crawl.start({ payload: { url: `${origin}/`, maxConcurrency: 1 } })
        yield* slow.reached
        return id
      }).pipe(Effect.provide(service))
      yield* slow.left
      const before = site.requests.length
      yield* slow.open
      const { documents, status } = yield* readToEnd(id).pipe(Effect.provide(service))

      const whole = yield* crawlSite(
        { ...oddSite(page("slow", "/from-slow")), "/from-slow": page("late") },
        { maxConcurrency: 1 }
      )
      expect(pathsOf(documents)).toEqual(whole.paths)
      expect(whole.paths).toEqual(
        ["/a", "/b", "/c", "/d", "/e", "/from-slow", "/home", "/mapped", "/new", "/slow"].toSorted()
      )
      expect(status.status).toBe("completed")
      expect(status.ledger).toEqual(whole.status.ledger)
      expect(status.total).toBe(documents.length)
      // The page that was in flight is asked for again, and no page that was finished.
      expect(site.requests.slice(0, before)).toContain("/a")
      expect(site.requests.slice(before)).toContain("/slow")
      expect(site.requests.slice(before)).not.toContain("/a")
    })
  )

  it.live("that asks for more than one page at a time is also resumed without loss or repetition", () =>
    Effect.gen(function* () {
      const database = yield* on.fresh
      const slow = gate(page("slow", "/from-slow"))
      const site = yield* scriptedSite({ ...oddSite(slow.answer), "/from-slow": page("late") })
      const service = Layer.fresh(embedded(site.port, undefined, { database }))

      const id = yield* Effect.gen(function* () {
        const { crawl } = yield* WebData
        const { id } = yield* crawl.start({ payload: { url: `${origin}/` } })
        yield* slow.reached
        return id
      }).pipe(Effect.provide(service))
      yield* slow.open
      const { documents, status } = yield* readToEnd(id).pipe(Effect.provide(service))

      expect(pathsOf(documents)).toEqual(
        ["/a", "/b", "/c", "/d", "/e", "/from-slow", "/home", "/mapped", "/new", "/slow"].toSorted()
      )
      const { discovered = 0, scraped = 0, failed = 0, blocked = 0, left = 0 } = status.ledger ?? {}
      expect(discovered).toBe(scraped + failed + blocked + left)
      expect({ failed, blocked, left }).toEqual({ failed: 2, blocked: 1, left: 0 })
    })
  )

  it.live("stays within its limit over a restart", () =>
    Effect.gen(function* () {
      const database = yield* on.fresh
      const slow = gate(page("slow"))
      const links = Array.from({ length: 9 }, (_, index) => `/p${index}`)
      const pages = Object.fromEntries(links.map((link) => [link, page(link)]))
      const site = yield* scriptedSite({ "/": page("home", ...links), ...pages, "/p3": slow.answer })
      const service = Layer.fresh(embedded(site.port, undefined, { database }))

      const id = yield* Effect.gen(function* () {
        const { crawl } = yield* WebData
        const { id } = yield* crawl.start({ payload: { url: `${origin}/`, maxConcurrency: 1, limit: 6 } })
        yield* slow.reached
        return id
      }).pipe(Effect.provide(service))
      yield* slow.open
      const { documents, status } = yield* readToEnd(id).pipe(Effect.provide(service))

      expect(pathsOf(documents)).toEqual(["/", "/p0", "/p1", "/p2", "/p3", "/p4"])
      expect(status.ledger).toEqual({ discovered: 10, scraped: 6, failed: 0, blocked: 0, left: 4, aliases: 0 })
    })
  )

  it.live("that is cancelled stops its requests, keeps what it has and counts what it left", () =>
    Effect.gen(function* () {
      const slow = gate(page("slow"))
      const site = yield* scriptedSite({
        "/": page("home", "/slow", "/1", "/2", "/3"),
        "/slow": slow.answer,
        "/other": page("other")
      })
      yield* Effect.gen(function* () {
        const { crawl } = yield* WebData
        const { id } = yield* crawl.start({ payload: { url: `${origin}/`, maxConcurrency: 1, sitemap: "skip" } })
        yield* slow.reached
        yield* crawl.cancel({ params: { id } })
        yield* slow.left
        const other = yield* crawl.start({ payload: { url: `${origin}/other`, limit: 1 } })
        yield* readToEnd(other.id)
        const { documents, status } = yield* readToEnd(id)

        expect(pathsOf(documents)).toEqual(["/"])
        expect(status).toMatchObject({ success: true, status: "cancelled", total: 1, completed: 1 })
        expect(status.ledger).toEqual({ discovered: 5, scraped: 1, failed: 0, blocked: 0, left: 4, aliases: 0 })
        expect(site.requests.filter((path) => /^\/\d$/.test(path))).toEqual([])
      }).pipe(Effect.provide(on.embedded(site.port)))
    })
  )

  it.live("that is cancelled while it waits for robots.txt does not spoil the next crawl of that site", () =>
    Effect.gen(function* () {
      const robots = gate("")
      const site = yield* scriptedSite({ "/": page("home"), "/robots.txt": robots.answer })
      yield* Effect.gen(function* () {
        const { crawl } = yield* WebData
        const first = yield* crawl.start({ payload: { url: `${origin}/` } })
        yield* robots.reached
        const second = yield* crawl.start({ payload: { url: `${origin}/` } })
        yield* crawl.cancel({ params: { id: first.id } })
        yield* robots.open
        const { documents } = yield* readToEnd(second.id)

        expect(pathsOf(documents)).toEqual(["/"])
      }).pipe(Effect.provide(on.embedded(site.port)))
    })
  )

  it.live("can be started again at once after one was cancelled alone at robots.txt", () =>
    Effect.gen(function* () {
      const robots = gate("")
      const site = yield* scriptedSite({ "/": page("home"), "/robots.txt": robots.answer })
      yield* Effect.gen(function* () {
        const { crawl } = yield* WebData
        const first = yield* crawl.start({ payload: { url: `${origin}/` } })
        yield* robots.reached
        yield* crawl.cancel({ params: { id: first.id } })
        yield* robots.left
        yield* robots.open
        const second = yield* crawl.start({ payload: { url: `${origin}/` } })

        expect(pathsOf((yield* readToEnd(second.id)).documents)).toEqual(["/"])
      }).pipe(Effect.provide(on.embedded(site.port)))
    })
  )

  it.live("shares a host politely with another job", () =>
    Effect.gen(function* () {
      const links = Array.from({ length: 20 }, (_, index) => `/p${index}`)
      const soon: Answer = (_request, response) => void setImmediate(() => response.end(page("soon")))
      const pages = Object.fromEntries(links.map((link) => [link, soon]))
      const site = yield* scriptedSite({ "/": page("home", ...links), ...pages })
      yield* Effect.gen(function* () {
        const { crawl } = yield* WebData
        const jobs = [0, 1].map(() => crawl.start({ payload: { url: `${origin}/` } }))
        const started = yield* Effect.all(jobs, { concurrency: 2 })
        const read = yield* Effect.forEach(started, ({ id }) => readToEnd(id), { concurrency: 2 })

        expect(read.map(({ documents }) => documents.length)).toEqual([21, 21])
        expect(site.peak()).toBeLessThanOrEqual(2)
      }).pipe(Effect.provide(on.embedded(site.port, undefined, { perHost: 2 })))
    })
  )

  it.live("cancelled by two at once is cancelled by one of them", () =>
    Effect.gen(function* () {
      const slow = gate("")
      const site = yield* scriptedSite({ "/": slow.answer })
      yield* Effect.gen(function* () {
        const { crawl } = yield* WebData
        const { id } = yield* crawl.start({ payload: { url: `${origin}/` } })
        yield* slow.reached
        const cancel = Effect.result(crawl.cancel({ params: { id } }))
        const results = yield* Effect.all([cancel, cancel, cancel], { concurrency: 3 })

        expect(results.map(({ _tag }) => _tag).toSorted()).toEqual(["Failure", "Failure", "Success"])
      }).pipe(Effect.provide(on.embedded(site.port)))
    })
  )

  it.effect("is gone 24 hours after it ended", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": page("home") })
      const database = yield* on.fresh
      const service = () => embedded(site.port, undefined, { database })
      const { id, status } = yield* Effect.gen(function* () {
        const { crawl } = yield* WebData
        const { id } = yield* crawl.start({ payload: { url: `${origin}/` } })
        return { id, status: (yield* readToEnd(id)).status }
      }).pipe(Effect.provide(service()))
      // Nobody serves meanwhile: a service on Postgres looks at its leases every other second of a day.
      yield* TestClock.adjust("23 hours")
      yield* TestClock.adjust("59 minutes")
      yield* Effect.gen(function* () {
        const { crawl } = yield* WebData
        const kept = yield* crawl.status({ params: { id }, query: {} })
        yield* TestClock.adjust("1 minute")
        const gone = [
          yield* Effect.flip(crawl.status({ params: { id }, query: {} })),
          yield* Effect.flip(crawl.errors({ params: { id } })),
          yield* Effect.flip(crawl.cancel({ params: { id } }))
        ]

        expect(status).toMatchObject({ completedAt: "1970-01-01T00:00:00.000Z", expiresAt: "1970-01-02T00:00:00.000Z" })
        expect(kept.data).toHaveLength(1)
        expect(gone.map((error) => error instanceof NotFound)).toEqual([true, true, true])
      }).pipe(Effect.provide(service()))
    })
  )

  it.live("runs even where its caller leaves in the middle of the start", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": page("home") })
      let caller: Fiber.Fiber<unknown, unknown> | undefined
      const layer = jobsOver(yield* on.fresh, site.port, {
        jobs: (store) => ({
          create: (job) => Effect.tap(store.create(job), () => Effect.sync(() => caller?.interruptUnsafe()))
        })
      })

      yield* Effect.gen(function* () {
        const jobs = yield* CrawlJobs
        const { active, get } = yield* JobStore
        caller = yield* Effect.forkChild(jobs.start("team", { url: `${origin}/` }))
        yield* Fiber.await(caller)
        const [job] = yield* active("team", "crawl")
        const id = job?.id ?? ""
        while ((yield* jobs.get("team", id, "crawl")).status === "scraping") yield* jobs.hold(id, 1)

        expect((yield* get(id)).pipe((found) => (found._tag === "Some" ? found.value.status : "none"))).toBe(
          "completed"
        )
      }).pipe(Effect.provide(layer))
    })
  )
})

/** Settles of the second page fail once as a lost connection does. */
const losing = (port: number, database: ServiceConfig.ServiceConfig["database"]) => {
  let settles = 0
  const away = new StoreError({ message: "reset", isRetryable: true })
  return jobsOver(database, port, {
    pages: (store) => ({
      settle: (id, settlement) => (++settles === 2 ? Effect.fail(away) : store.settle(id, settlement))
    })
  })
}

describe("a crawl job that loses its database", () => {
  it.live("has failed where that is its own process's file", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": page("home", "/a"), "/a": page("a") })
      yield* Effect.gen(function* () {
        const jobs = yield* CrawlJobs
        const { id } = yield* jobs.start("team", { url: `${origin}/`, sitemap: "skip" })
        while ((yield* jobs.get("team", id, "crawl")).status === "scraping") yield* jobs.hold(id, 2)

        expect((yield* jobs.get("team", id, "crawl")).status).toBe("failed")
      }).pipe(Effect.provide(losing(site.port, ":memory:")))
    })
  )
})

onPostgres("a crawl job that loses its database", (on) => {
  it.live("is let go and taken up again, and is whole", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": page("home", "/a"), "/a": page("a") })
      yield* Effect.gen(function* () {
        const jobs = yield* CrawlJobs
        const store = yield* CrawlStore
        const { id } = yield* jobs.start("team", { url: `${origin}/`, sitemap: "skip" })
        // By now the run is dropped.
        yield* jobs.hold(id, 2)
        while ((yield* jobs.get("team", id, "crawl")).status === "scraping") yield* jobs.hold(id, 2)

        expect((yield* jobs.get("team", id, "crawl")).status).toBe("completed")
        expect((yield* store.urls(id, -1, 1000)).map(({ url, state }) => [url.replace(origin, ""), state])).toEqual([
          ["/", "scraped"],
          ["/a", "scraped"]
        ])
      }).pipe(Effect.provide(losing(site.port, yield* on.fresh)))
    })
  )
})

describe("a crawl job that has ended", () => {
  it.effect("and all it had are forgotten within ten minutes after that, also where a sweep before has failed", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({
        "/": page("home", "/broken"),
        "/broken": (request) => request.socket.destroy()
      })
      let sweeps = 0
      const layer = jobsOver(":memory:", site.port, {
        jobs: (store) => ({
          expire: (before) =>
            Effect.suspend(() =>
              sweeps++ === 3
                ? Effect.fail(new StoreError({ message: "disk full", isRetryable: false }))
                : store.expire(before)
            )
        })
      })
      yield* Effect.gen(function* () {
        const jobs = yield* CrawlJobs
        const store = yield* CrawlStore
        const { id } = yield* jobs.start("team", { url: `${origin}/` })
        while ((yield* jobs.get("team", id, "crawl")).status === "scraping") yield* jobs.hold(id, 1)
        const has = Effect.all([
          store.urls(id, -1, 1000),
          store.failures(id),
          Effect.map(store.count(id), (n) => Array(n))
        ])
        const kept = (yield* has).map(({ length }) => length)
        yield* TestClock.adjust("24 hours")
        yield* TestClock.adjust("10 minutes")

        expect(kept).toEqual([2, 1, 1])
        expect((yield* has).map(({ length }) => length)).toEqual([0, 0, 0])
        expect((yield* (yield* JobStore).get(id))._tag).toBe("None")
      }).pipe(Effect.provide(layer))
    })
  )
})
