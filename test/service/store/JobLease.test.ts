import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { expect } from "vitest"
import type { ServiceConfig } from "#service/ServiceConfig"
import { JobLease } from "#service/store/JobLease"
import { ProcessLease } from "#service/store/ProcessLease"
import { CrawlStore } from "#web/CrawlStore"
import type { DiscoveredUrl } from "#web/CrawlUrl"
import type { Job } from "#web/Job"
import { JobStore } from "#web/JobStore"
import { onEachDatabase, onPostgres } from "../databases.ts"
import { stores } from "../serviceParts.ts"

const idOf = (index: number) => `0190c0de-0000-7000-8000-00000000000${index}`

const job = (index: number): Job => ({
  id: idOf(index),
  kind: "crawl",
  teamId: "team",
  url: "http://site.test/",
  request: "{}",
  status: "scraping",
  createdAt: index,
  completedAt: null,
  error: null,
  warning: null
})

const start: DiscoveredUrl = { seq: 0, key: "k", url: "http://site.test/", depth: 0, kind: "start", state: "queued" }
const scraped = {
  seq: 0,
  state: "scraped",
  landedKey: "k",
  page: { seq: 0, document: "{}", credits: 1 },
  failures: [],
  discovered: []
} as const

/** A process's own stores, and the jobs that it takes. */
const processOver = Effect.fnUntraced(function* (database: ServiceConfig["database"]) {
  const context = yield* Layer.build(stores(database))
  const lease = Context.get(context, JobLease)
  const process = Context.get(context, ProcessLease)
  const sql = Context.get(context, SqlClient.SqlClient)
  const store = Context.get(context, CrawlStore)
  return {
    lease,
    process,
    store,
    jobs: Context.get(context, JobStore),
    taken: Effect.map(lease.take, (jobs) => jobs.map(({ id }) => id)),
    /** The numbers of pages that were being read when a process ended. */
    suspects: (id: string) =>
      Effect.map(store.urls(id, -1, 100), (urls) => urls.flatMap(({ isSuspect, seq }) => (isSuspect ? [seq] : []))),
    /** As if this process had given no sign for a while. */
    expires: sql`UPDATE cluster_process SET reported_at = reported_at - 15001 WHERE owner = ${process.owner}`,
    /** As if the owner of this job alone had ended. */
    abandon: (id: string) => sql`UPDATE job SET owner = 'a process that died' WHERE id = ${id}`
  }
})

onEachDatabase("the lease of a job", (database) => {
  it.effect("is taken over, oldest job first, by a process that starts after the owner has let go", () =>
    Effect.gen(function* () {
      const fresh = yield* database.fresh
      const before = yield* processOver(fresh)
      for (const index of [2, 1, 3]) yield* before.jobs.create(job(index))
      yield* before.jobs.finish(idOf(3), { status: "completed" }, "owner")
      yield* before.lease.release
      const after = yield* processOver(fresh)

      expect(after.process.owner).not.toBe(before.process.owner)
      expect(yield* after.taken).toEqual([idOf(1), idOf(2)])
      expect(yield* after.taken).toEqual([])
    })
  )

  it.effect("lost, leaves its former owner nothing to write", () =>
    Effect.gen(function* () {
      const fresh = yield* database.fresh
      const before = yield* processOver(fresh)
      yield* before.jobs.create(job(1))
      yield* before.store.discover(idOf(1), [start])
      yield* before.lease.release
      const after = yield* processOver(fresh)
      yield* after.taken
      const settled = yield* Effect.exit(before.store.settle(idOf(1), [scraped]))
      const discovered = yield* Effect.exit(before.store.discover(idOf(1), [{ ...start, seq: 1, key: "l" }]))
      const finished = yield* before.jobs.finish(idOf(1), { status: "completed" }, "owner")

      expect([settled._tag, discovered._tag, finished]).toEqual(["Failure", "Failure", false])
      expect(yield* after.store.ledger(idOf(1))).toMatchObject({ discovered: 1, scraped: 0, queued: 1, credits: 0 })
      yield* after.store.settle(idOf(1), [scraped])
      expect(yield* after.jobs.finish(idOf(1), { status: "completed" }, "owner")).toBe(true)
    })
  )
})

onPostgres("the lease of a job", (database) => {
  it.effect("is nobody else's before that of its process has run out", () =>
    Effect.gen(function* () {
      const fresh = yield* database.fresh
      const [one, other] = [yield* processOver(fresh), yield* processOver(fresh)]
      yield* one.jobs.create(job(1))
      const early = yield* other.taken
      yield* one.expires

      expect(early).toEqual([])
      expect(yield* one.taken).toEqual([])
      expect(yield* other.taken).toEqual([idOf(1)])
    })
  )

  it.effect("lasts from the last sign of its process, which is told of jobs that it has lost or that were ended", () =>
    Effect.gen(function* () {
      const fresh = yield* database.fresh
      const [one, other] = [yield* processOver(fresh), yield* processOver(fresh)]
      for (const index of [1, 2, 3]) yield* one.jobs.create(job(index))
      yield* one.expires
      yield* one.process.sign
      yield* one.abandon(idOf(2))
      const taken = yield* other.taken
      yield* other.jobs.finish(idOf(3), { status: "cancelled" }, "anybody")
      const lost = yield* one.lease.keep([1, 2, 3].map(idOf))

      expect(taken).toEqual([idOf(2)])
      expect(lost).toEqual([2, 3].map(idOf))
      expect(yield* one.lease.keep([])).toEqual([])
    })
  )

  it.effect(
    "is let go by a process that lives on and does not run the job: it is free at once, and none of its pages is a suspect",
    () =>
      Effect.gen(function* () {
        const fresh = yield* database.fresh
        const [one, other] = [yield* processOver(fresh), yield* processOver(fresh)]
        for (const index of [1, 2, 3]) yield* one.jobs.create(job(index))
        for (const index of [1, 3]) {
          yield* one.store.discover(idOf(index), [start])
          yield* one.store.begin(idOf(index), 0)
        }
        yield* one.abandon(idOf(3))
        const lost = yield* other.taken
        yield* one.lease.keep([idOf(2)])
        const early = yield* other.taken
        yield* one.lease.keep([idOf(2)])
        const taken = yield* other.lease.take

        expect([lost, early]).toEqual([[idOf(3)], []])
        expect(taken.map(({ attempts = 0, id }) => ({ id, attempts }))).toEqual([{ id: idOf(1), attempts: 0 }])
        expect(yield* other.suspects(idOf(1))).toEqual([])
        expect(yield* other.suspects(idOf(3))).toEqual([0])
      })
  )

  it.effect("taken over counts against the job only where no page was being read for the first time", () =>
    Effect.gen(function* () {
      const fresh = yield* database.fresh
      const [one, other] = [yield* processOver(fresh), yield* processOver(fresh)]
      yield* one.jobs.create(job(1))
      // The second is not marked with the first.
      yield* one.store.discover(idOf(1), [start, { ...start, seq: 20, key: "l" }])
      const counts: Array<number> = []
      const takes = (by: typeof one) =>
        Effect.map(
          Effect.andThen(one.abandon(idOf(1)), by.lease.take),
          ([taken]) => void counts.push(taken?.attempts ?? 0)
        )
      yield* one.store.begin(idOf(1), 0)
      yield* takes(other)
      yield* other.store.begin(idOf(1), 0)
      yield* takes(one)
      yield* one.store.begin(idOf(1), 0)
      yield* one.store.begin(idOf(1), 20)
      yield* takes(other)
      yield* takes(one)
      expect(counts).toEqual([0, 1, 1, 2])
      yield* one.store.settle(idOf(1), [scraped])
      yield* takes(other)

      expect(counts.at(-1)).toBe(1)
      expect(yield* other.suspects(idOf(1))).toEqual([0, 20])
    })
  )

  it.effect("that has run out is taken by one of many", () =>
    Effect.gen(function* () {
      const fresh = yield* database.fresh
      const dead = yield* processOver(fresh)
      const ids = Array.from({ length: 9 }, (_, index) => idOf(index))
      for (const index of ids.keys()) yield* dead.jobs.create(job(index))
      yield* dead.lease.release
      const living = yield* Effect.forEach([1, 2, 3], () => processOver(fresh))
      const taken = yield* Effect.all(
        living.map(({ taken }) => taken),
        { concurrency: "unbounded" }
      )

      expect(taken.flat().toSorted()).toEqual(ids)
    })
  )
})
