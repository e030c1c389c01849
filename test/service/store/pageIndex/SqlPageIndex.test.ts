import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { uuid7 } from "#contract/uuid7"
import * as Plan from "#service/AccountPlan"
import { layerSearch } from "#service/layerSearch"
import * as ServiceConfig from "#service/ServiceConfig"
import { CrawlStore } from "#web/CrawlStore"
import { JobStore } from "#web/JobStore"
import { type Options, PageIndex, retentionMillis } from "#web/PageIndex"
import { ScrapeStore } from "#web/ScrapeStore"
import * as Query from "#web/SearchQuery"
import { onEachDatabase } from "../../databases.ts"
import { Accounts, stores } from "../../serviceParts.ts"

type Page = readonly [url: string, text: string, metadata?: object]

const documentOf = ([url, markdown, metadata = {}]: Page): string =>
  JSON.stringify({ markdown, metadata: { url: `http://${url}`, statusCode: 200, ...metadata } })

onEachDatabase("the index of pages", (database) => {
  /** An index, and how it comes to have pages. */
  const indexing = Effect.gen(function* () {
    const place = yield* database.fresh
    const secret = { key: Redacted.make("k"), teamId: "secret", plan: { ...Plan.standard, zeroDataRetention: true } }
    const accounts = Accounts.layer({ ...ServiceConfig.defaults, keys: [secret] })
    const open = Layer.build(layerSearch({}).pipe(Layer.provideMerge(accounts.pipe(Layer.provideMerge(stores(place))))))
    const context = yield* open
    const jobs = Context.get(context, JobStore)
    const ledger = Context.get(context, CrawlStore)
    const index = Context.get(context, PageIndex)
    const sql = Context.get(context, SqlClient.SqlClient)
    /** A job of a team reads these pages; it goes on where it was. */
    const read = Effect.fnUntraced(function* (teamId: string, pages: ReadonlyArray<Page>, job = uuid7(), first = 0) {
      if (first === 0) {
        yield* jobs.create({
          id: job,
          kind: "crawl",
          teamId,
          url: "http://site.test/",
          request: "{}",
          status: "scraping",
          createdAt: 1,
          completedAt: null,
          error: null,
          warning: null
        })
      }
      for (const [at, page] of pages.entries()) {
        const seq = first + at
        const url = `http://${page[0]}`
        yield* ledger.discover(job, [{ seq, key: `${seq}`, url, depth: 0, kind: "start", state: "queued" }])
        const document = documentOf(page)
        yield* ledger.settle(job, [
          {
            seq,
            state: "scraped",
            landedKey: `${seq}`,
            page: { seq, document, credits: 1 },
            failures: [],
            discovered: []
          }
        ])
      }
      return job
    })
    const find = (query: string, options: Partial<Options> = {}, teamId = "team") =>
      Effect.map(index.find(teamId, Query.parse(query), { limit: 10, ...options }), (hits) =>
        hits.map(({ url }) => url.replace("http://", ""))
      )
    const search = (...args: Parameters<typeof find>) => Effect.andThen(index.catchUp(args[2] ?? "team"), find(...args))
    return { context, find, index, jobs, open, read, search, sql }
  })

  it.effect("finds a host that is named without a port at each of its ports", () =>
    Effect.gen(function* () {
      const { read, search } = yield* indexing
      yield* read("team", [
        ["shop.local:3000/oaks/a", "Chairs of oak."],
        ["shop.local:4000/", "Chairs of beech."],
        ["shop.local.test/", "Chairs of ash."]
      ])
      const sites = [
        "site:shop.local",
        "site:local",
        "-site:shop.local",
        "site:shop.local/oaks",
        "site:shop.local:4000"
      ]
      const found = yield* Effect.forEach(sites, (site) => search(`chairs ${site}`))

      expect(found.map((urls) => urls.toSorted())).toEqual([
        ["shop.local:3000/oaks/a", "shop.local:4000/"],
        ["shop.local:3000/oaks/a", "shop.local:4000/"],
        ["shop.local.test/"],
        ["shop.local:3000/oaks/a"],
        ["shop.local:4000/"]
      ])
    })
  )

  it.effect("answers words, phrases and operators alike, whatever it is kept in", () =>
    Effect.gen(function* () {
      const { read, search } = yield* indexing
      yield* read("team", [
        ["docs.site.test/guide/lamp", "The oak lamp is bright.", { title: "Desk lamps" }],
        ["site.test/old", "A lamp of oak that is cheap."],
        ["www.other.test/shop/a.pdf", "Oak tables.", { contentType: "application/pdf" }],
        ["notsite.test/", "東京タワーのランプ"],
        ["other.test/x%27y", "It's a \\ and a 'quote' (paren) NEAR AND OR NOT"]
      ])
      const found = yield* Effect.forEach(
        [
          "oak lamp",
          '"oak lamp"',
          "oak -cheap",
          "oak site:site.test",
          "oak site:site.test/old",
          "oak -site:site.test",
          "intitle:lamp",
          'intitle:"lamp desk"',
          "inurl:shop",
          "oak filetype:pdf",
          "京タ",
          "site:notsite.test",
          "quote paren",
          "nothing of it",
          "-cheap site:site.test"
        ],
        (query) => search(query)
      )

      expect(found).toEqual([
        ["docs.site.test/guide/lamp", "site.test/old", "www.other.test/shop/a.pdf"],
        ["docs.site.test/guide/lamp"],
        ["www.other.test/shop/a.pdf", "docs.site.test/guide/lamp"],
        ["site.test/old", "docs.site.test/guide/lamp"],
        ["site.test/old"],
        ["www.other.test/shop/a.pdf"],
        ["docs.site.test/guide/lamp"],
        [],
        ["www.other.test/shop/a.pdf"],
        ["www.other.test/shop/a.pdf"],
        ["notsite.test/"],
        ["notsite.test/"],
        ["other.test/x%27y"],
        [],
        ["docs.site.test/guide/lamp"]
      ])
    })
  )

  it.effect("gives the passage that answers, and what the page says of itself", () =>
    Effect.gen(function* () {
      const { index, read } = yield* indexing
      const text = `${"Nothing is said here that anybody asks for. ".repeat(20)}\n\nThe oak lamp costs 89 euros.`
      yield* read("team", [["site.test/", text, { title: "Lamps", description: "All our lamps" }]])
      yield* index.catchUp("team")
      const [hit] = yield* index.find("team", Query.parse("oak lamp cost"), { limit: 1 })

      expect(hit).toEqual({
        url: "http://site.test/",
        title: "Lamps",
        description: "All our lamps",
        passage: "The oak lamp costs 89 euros.",
        publishedAt: null
      })
    })
  )

  it.effect("has nothing of another team, and nothing of one of which nothing may be kept", () =>
    Effect.gen(function* () {
      const { read, search } = yield* indexing
      yield* read("other", [["site.test/", "Oak lamp"]])
      yield* read("secret", [["site.test/", "Oak lamp"]])

      expect(yield* search("lamp")).toEqual([])
      expect(yield* search("site:site.test")).toEqual([])
      expect(yield* search("-lamp site:site.test")).toEqual([])
      expect(yield* search("lamp", {}, "secret")).toEqual([])
      expect(yield* search("lamp", {}, "other")).toEqual(["site.test/"])
    })
  )

  it.effect("has each page once, as it was read last, whichever it comes to know first", () =>
    Effect.gen(function* () {
      const { read, search } = yield* indexing
      yield* read("team", [["www.site.test/a/", "Oak of today", { scrapeId: uuid7(2000) }]])
      expect(yield* search("oak")).toEqual(["www.site.test/a/"])
      yield* read("team", [["site.test/a", "Ash of yesterday", { scrapeId: uuid7(1000) }]])
      expect([yield* search("ash"), yield* search("oak")]).toEqual([[], ["www.site.test/a/"]])
      yield* read("team", [["site.test/a", "Elm of tomorrow", { scrapeId: uuid7(3000) }]])

      expect([yield* search("elm"), yield* search("oak"), yield* search("site:site.test")]).toEqual([
        ["site.test/a"],
        [],
        ["site.test/a"]
      ])
    })
  )

  it.effect("takes up what a job reads while it runs, each page once, and all of a long one", () =>
    Effect.gen(function* () {
      const { read, search, sql } = yield* indexing
      const job = yield* read("team", [["site.test/0", "lamp"]])
      expect(yield* search("lamp")).toEqual(["site.test/0"])
      yield* read(
        "team",
        Array.from({ length: 34 }, (_, at): Page => [`site.test/${at + 1}`, at === 33 ? "needle" : "lamp"]),
        job,
        1
      )

      expect(yield* search("needle")).toEqual(["site.test/34"])
      const [row] = yield* sql<{ done: number }>`SELECT done FROM indexed_job WHERE job_id = ${job}`
      expect(row).toEqual({ done: 35 })
    })
  )

  it.effect("takes up what scrapes gave, and not what extracts and agents keep", () =>
    Effect.gen(function* () {
      const { context, jobs, read, search, sql } = yield* indexing
      const scrapes = Context.get(context, ScrapeStore)
      yield* scrapes.keepResult("team", uuid7(), documentOf(["site.test/scraped", "Oak lamp"]))
      yield* scrapes.keepResult("other", uuid7(), documentOf(["site.test/theirs", "Oak lamp"]))
      const job = yield* read("team", [["site.test/kept", "Oak lamp"]])
      yield* sql`UPDATE job SET kind = 'extract' WHERE id = ${job}`

      expect(yield* search("lamp")).toEqual(["site.test/scraped"])
      expect((yield* jobs.get(job))._tag).toBe("Some")
    })
  )

  it.effect("is as whole after a death in between as without one", () =>
    Effect.gen(function* () {
      const { index, open, read, sql } = yield* indexing
      yield* read(
        "team",
        Array.from({ length: 25 }, (_, at): Page => [`site.test/${at}`, "lamp"])
      )
      // The store breaks when the index writes how far it came: nothing of that part may stay.
      yield* sql`ALTER TABLE indexed_job RENAME TO elsewhere`
      yield* Effect.flip(index.catchUp("team"))
      const left = yield* sql`SELECT id FROM indexed_page`
      yield* sql`ALTER TABLE elsewhere RENAME TO indexed_job`
      const next = Context.get(yield* open, PageIndex)
      yield* next.catchUp("team")
      const found = yield* next.find("team", Query.parse("lamp"), { limit: 100 })

      expect(left).toEqual([])
      expect(found).toHaveLength(25)
    })
  )

  it.effect("takes up jobs that have ended by itself, and forgets pages after 30 days", () =>
    Effect.gen(function* () {
      const { find, jobs, read, sql } = yield* indexing
      const minute = 60_000
      const cachedAt = new Date(50 * minute - retentionMillis).toISOString()
      const job = yield* read("team", [["site.test/", "lamp", { cachedAt }]])
      yield* jobs.finish(job, { status: "completed" }, "anybody")
      // The store works beside the clock of the test: it is given turns until it is done, many more than it takes until the page is old.
      const until = Effect.fnUntraced(function* (isDone: Effect.Effect<boolean, SqlError>) {
        while (!(yield* isDone)) yield* TestClock.adjust("100 millis")
      })
      yield* until(Effect.map(sql`SELECT job_id FROM indexed_job WHERE job_id = ${job}`, (rows) => rows.length > 0))
      const before = yield* find("lamp")
      yield* TestClock.adjust("61 minutes")
      const after = yield* find("lamp")
      yield* until(Effect.map(sql`SELECT id FROM indexed_page`, (rows) => rows.length === 0))

      expect([before, after]).toEqual([["site.test/"], []])
    })
  )

  it.effect("finds the best of very many pages by a word beside a phrase, a word of a title or one of an address", () =>
    Effect.gen(function* () {
      const { read, search } = yield* indexing
      const others = Array.from(
        { length: 120 },
        (_, at): Page => [
          `site.test/oak/${at}`,
          `${"Many other words. ".repeat(20)}A lamp, an oak desk.`,
          { title: "Oak and more" }
        ]
      )
      yield* read("team", [
        ["site.test/oak/best", "A lamp for an oak desk: this lamp.", { title: "Oak lamp" }],
        ...others
      ])
      const found = yield* Effect.forEach(['lamp "oak desk"', "lamp intitle:oak", "lamp inurl:oak"], (query) =>
        search(query, { limit: 1 })
      )

      expect(found).toEqual([["site.test/oak/best"], ["site.test/oak/best"], ["site.test/oak/best"]])
    })
  )

  it.effect("finds what was published in a time, the newest first where it is asked to", () =>
    Effect.gen(function* () {
      const { read, search } = yield* indexing
      const day = (text: string) => ({ publishedTime: text })
      yield* read("team", [
        ["site.test/1", "lamp", day("2026-01-01")],
        ["site.test/3", "lamp", day("2026-03-01")],
        ["site.test/2", "lamp", day("2026-02-01")],
        ["site.test/none", "lamp"]
      ])
      const [since, until] = [Date.UTC(2026, 0, 15), Date.UTC(2026, 1, 15)]

      expect(yield* search("lamp", { since, until })).toEqual(["site.test/2"])
      expect(yield* search("lamp", { since, newestFirst: true })).toEqual(["site.test/3", "site.test/2"])
    })
  )
})
