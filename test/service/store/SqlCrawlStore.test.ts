import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Limits from "#contract/Limits"
import { AccountStore } from "#service/store/AccountStore"
import { CrawlStore } from "#web/CrawlStore"
import type { DiscoveredUrl, Settlement } from "#web/CrawlUrl"
import type { Job } from "#web/Job"
import { JobStore } from "#web/JobStore"
import { job as anyJob } from "../../web/crawl/gathering.ts"
import { onEachDatabase } from "../databases.ts"
import { stores } from "../serviceParts.ts"

const job: Job = {
  id: "0190c0de-0000-7000-8000-000000000001",
  kind: "crawl",
  teamId: "team",
  url: "http://site.test/",
  request: '{"url":"http://site.test/"}',
  status: "scraping",
  createdAt: 2 ** 41 + 1,
  completedAt: null,
  error: null,
  warning: null
}

const url = (seq: number): DiscoveredUrl => {
  const href = `http://site.test/${seq}`
  return { seq, key: href, url: href, depth: 0, kind: "link", state: "queued" }
}

const scraped = (seq: number, document: string, discovered: ReadonlyArray<DiscoveredUrl> = []): Settlement => ({
  seq,
  state: "scraped",
  landedKey: url(seq).key,
  page: { seq, document, credits: 2 },
  failures: [],
  discovered
})

onEachDatabase("the store of crawls", (database) => {
  /** A store that has the job, which knows these URLs. */
  const withJob = (
    urls: ReadonlyArray<DiscoveredUrl>,
    use: Effect.Effect<void, unknown, CrawlStore | JobStore | AccountStore>
  ) =>
    Effect.gen(function* () {
      const begun = Effect.gen(function* () {
        const store = yield* CrawlStore
        yield* (yield* JobStore).create(job)
        yield* store.discover(job.id, urls)
        yield* use
      })
      yield* Effect.provide(begun, stores(yield* database.fresh))
    })

  it.effect("gives back what it was given: times as numbers, documents byte for byte", () =>
    withJob(
      [url(0)],
      Effect.gen(function* () {
        const store = yield* CrawlStore
        const document = JSON.stringify({ markdown: "Grüße 🌾 \0 \ud800 '\" \\", huge: "x".repeat(17 * 1024 * 1024) })
        yield* store.settle(job.id, [scraped(0, document, [url(1)])])
        const read = yield* store.chunk(job.id, 0, 10)

        expect(yield* (yield* JobStore).get(job.id)).toEqual(Option.some(job))
        expect(yield* store.urls(job.id, -1, 1000)).toEqual([{ ...url(0), state: "scraped" }, url(1)])
        expect(read.documents[0] === document).toBe(true)
        expect(read.remaining).toBe(0)
        expect(yield* store.queued("team")).toBe(1)
        expect(yield* store.ledger(job.id)).toEqual({
          discovered: 2,
          scraped: 1,
          failed: 0,
          blocked: 0,
          left: 0,
          queued: 1,
          aliases: 0,
          credits: 2
        })
        expect(yield* (yield* AccountStore).used("team")).toBe(2)
      })
    )
  )

  it.effect("keeps text with a NUL in it, which not every database can", () =>
    withJob(
      [{ ...url(0), url: "http://site.test/a\0b" }],
      Effect.gen(function* () {
        const store = yield* CrawlStore
        const failure = { id: "f", url: "http://site.test/a", code: null, error: "a page said \0" }
        yield* store.settle(job.id, [
          {
            seq: 0,
            state: "failed",
            landedKey: url(0).key,
            failures: [failure],
            discovered: []
          }
        ])
        const jobs = yield* JobStore
        yield* jobs.warn(job.id, "a sitemap said \0")
        yield* jobs.finish(job.id, { status: "failed", error: "the site said \0" }, "owner")
        const [end] = Option.toArray(yield* jobs.get(job.id))

        expect((yield* store.urls(job.id, -1, 1000))[0]?.url).toBe("http://site.test/a%00b")
        expect(yield* store.failures(job.id)).toEqual([{ ...failure, error: "a page said %00", createdAt: 0 }])
        expect([end?.warning, end?.error]).toEqual(["a sitemap said %00", "the site said %00"])
      })
    )
  )

  it.effect("writes one page's end whole or not at all", () =>
    withJob(
      [url(0), url(1)],
      Effect.gen(function* () {
        const store = yield* CrawlStore
        const before = yield* store.ledger(job.id)
        // The link has the number of a URL that is known, which the database refuses after the page was written.
        const refused = yield* Effect.flip(store.settle(job.id, [scraped(0, "{}", [url(1)])]))
        const between = yield* store.ledger(job.id)
        const used = yield* (yield* AccountStore).used("team")
        yield* store.settle(job.id, [scraped(0, "{}", [url(2)])])

        expect(refused._tag).toBe("StoreError")
        expect(between).toEqual(before)
        expect(used).toBe(0)
        expect((yield* store.ledger(job.id)).scraped).toBe(1)
        expect((yield* store.chunk(job.id, 0, 10)).documents).toEqual(["{}"])
      })
    )
  )

  it.effect("ends a job once, whoever ends it, and writes nothing of it afterwards", () =>
    withJob(
      [url(0), url(1)],
      Effect.gen(function* () {
        const store = yield* CrawlStore
        yield* store.settle(job.id, [scraped(0, "{}")])
        const jobs = yield* JobStore
        const cancel = jobs.finish(job.id, { status: "cancelled" }, "anybody")
        const complete = jobs.finish(job.id, { status: "completed" }, "owner")
        const ends = yield* Effect.all([cancel, complete, cancel], { concurrency: "unbounded" })
        const late = yield* Effect.exit(store.settle(job.id, [scraped(1, "{}")]))
        const added = yield* store.append(job.id, (first) => [url(first)])

        expect(ends.filter((isEnded) => isEnded)).toHaveLength(1)
        expect(late._tag).toBe("Failure")
        expect(added).toBe(false)
        expect((yield* store.chunk(job.id, 0, 10)).documents).toEqual(["{}"])
        expect(yield* store.ledger(job.id)).toMatchObject({ discovered: 2, scraped: 1, left: 1, queued: 0, credits: 2 })
        expect((yield* store.urls(job.id, -1, 1000)).map(({ state }) => state)).toEqual(["scraped", "left"])
      })
    )
  )

  it.effect("numbers URLs that are added by several at once without a gap", () =>
    withJob(
      [url(0)],
      Effect.gen(function* () {
        const store = yield* CrawlStore
        const add = store.append(job.id, (first) => [url(first), url(first + 1)])
        yield* Effect.all([add, add, add, add], { concurrency: "unbounded" })

        expect((yield* store.urls(job.id, -1, 1000)).map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
        expect((yield* store.ledger(job.id)).queued).toBe(9)
      })
    )
  )

  it.effect("gives documents in order, as many as one answer may hold", () =>
    withJob(
      [0, 1, 2, 3].map(url),
      Effect.gen(function* () {
        const store = yield* CrawlStore
        const half = JSON.stringify("x".repeat(Limits.maxChunkBytes / 2))
        for (const [seq, document] of [half, half, '"c"', '"d"'].entries()) {
          yield* store.settle(job.id, [scraped(seq, document)])
        }
        const read = (skip: number, limit: number) =>
          Effect.map(store.chunk(job.id, skip, limit), ({ documents, remaining }) => [documents.length, remaining])

        expect(yield* read(0, 10)).toEqual([1, 3])
        expect(yield* read(1, 10)).toEqual([3, 0])
        expect(yield* read(2, 1)).toEqual([1, 1])
        expect(yield* read(9, 10)).toEqual([0, 0])
      })
    )
  )

  it.effect("forgets what ended before a time, and nothing else", () =>
    withJob(
      [url(0), url(1)],
      Effect.gen(function* () {
        const store = yield* CrawlStore
        const running = { ...job, id: "0190c0de-0000-7000-8000-000000000002" }
        const jobs = yield* JobStore
        yield* jobs.create(running)
        yield* store.settle(job.id, [scraped(0, "{}")])
        yield* jobs.finish(job.id, { status: "completed" }, "owner")
        yield* jobs.expire(0)
        const kept = yield* store.count(job.id)
        yield* jobs.expire(1)

        expect(kept).toBe(1)
        expect(yield* jobs.get(job.id)).toEqual(Option.none())
        expect(yield* store.urls(job.id, -1, 1000)).toEqual([])
        expect(yield* jobs.get(running.id)).toEqual(Option.some(running))
      })
    )
  )

  it.effect("writes down many ends together, whatever number of failures and links they bring", () =>
    withJob(
      Array.from({ length: 16 }, (_, seq) => url(seq)),
      Effect.gen(function* () {
        const store = yield* CrawlStore
        const each = 700
        const ends = Array.from({ length: 16 }, (_, seq): Settlement => {
          const found = Array.from({ length: each }, (_, n) => 16 + seq * each + n)
          const failures = found.map((n) => ({ id: `f${n}`, url: url(n).url, code: "EXTERNAL_LINK", error: "a home" }))
          return { ...scraped(seq, `{"seq":${seq}}`, found.map(url)), failures }
        })
        yield* store.settle(job.id, ends)

        expect(yield* store.failures(job.id)).toHaveLength(16 * each)
        expect(yield* store.ledger(job.id)).toMatchObject({ scraped: 16, queued: 16 * each, credits: 32 })
        expect((yield* store.chunk(job.id, 0, 20)).documents).toEqual(
          Array.from({ length: 16 }, (_, seq) => `{"seq":${seq}}`)
        )
      })
    )
  )
})

const endedJob: Job = { ...anyJob, id: "0190c0de-0000-7000-8000-000000000002", kind: "crawl" }
const href = (seq: number) => `http://site.test/${seq}`
const ended = (seq: number, more: Partial<Settlement>): Settlement => ({
  seq,
  state: "scraped",
  landedKey: href(seq),
  failures: [],
  discovered: [],
  ...more
})

onEachDatabase("the ends of URLs", (database) => {
  it.effect("are each its own, however many are written together, with or without traits", () =>
    Effect.gen(function* () {
      const store = yield* CrawlStore
      yield* (yield* JobStore).create(endedJob)
      const urls = [0, 1, 2, 3, 4, 5].map((seq) => ({ seq, key: href(seq), url: href(seq), depth: 0 }))
      yield* store.discover(
        endedJob.id,
        urls.map((url) => ({ ...url, kind: "link", state: "queued" }))
      )
      const traits = { landed: "http://site.test/there", canonical: "http://site.test/c", content: "c1", meaning: "m1" }
      yield* store.settle(endedJob.id, [
        ended(0, { state: "failed" }),
        ended(1, { state: "alias", aliasOf: 3, landedKey: "http://site.test/'?" }),
        ended(2, { page: { seq: 0, document: "{}", credits: 1 }, traits: {} }),
        ended(3, { page: { seq: 1, document: "{}", credits: 1 }, traits }),
        ended(4, { state: "alias", aliasOf: 3, traits: { template: "t1" } })
      ])
      const read = yield* store.urls(endedJob.id, -1, 10)
      const known = yield* store.identity.ended(endedJob.id, -1, 10)

      expect(read.map(({ aliasOf, key, landed, state }) => ({ aliasOf, key, landed, state }))).toEqual([
        { aliasOf: undefined, key: href(0), landed: undefined, state: "failed" },
        { aliasOf: 3, key: "http://site.test/'?", landed: undefined, state: "alias" },
        { aliasOf: undefined, key: href(2), landed: undefined, state: "scraped" },
        { aliasOf: undefined, key: href(3), landed: "http://site.test/there", state: "scraped" },
        { aliasOf: 3, key: href(4), landed: undefined, state: "alias" },
        { aliasOf: undefined, key: href(5), landed: undefined, state: "queued" }
      ])
      expect(known.find(({ seq }) => seq === 2)).toMatchObject({ page: 0, canonical: null, content: null })
      expect(known.find(({ seq }) => seq === 3)).toMatchObject({ ...traits, page: 1, template: null })
      expect(known.find(({ seq }) => seq === 4)).toMatchObject({ template: "t1", page: null, aliasOf: 3 })
    }).pipe((test) => Effect.flatMap(database.fresh, (one) => Effect.provide(test, stores(one))))
  )
})
