import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { expect } from "vitest"
import { uuid7 } from "#contract/uuid7"
import type { ServiceConfig } from "#service/ServiceConfig"
import { AccountStore } from "#service/store/AccountStore"
import { Seals } from "#service/store/Seals"
import * as StorePort from "#service/store/StorePort"
import { CrawlStore } from "#web/CrawlStore"
import type { DiscoveredUrl } from "#web/CrawlUrl"
import type { End, Job } from "#web/Job"
import { JobStore } from "#web/JobStore"
import { onEachDatabase, onPostgres } from "../databases.ts"
import { JobLease, stores } from "../serviceParts.ts"

const idOf = (index: number) => `0190c0de-0000-7000-8000-00000000000${index}`

const job = (index: number, fields: Partial<Job> = {}): Job => ({
  id: idOf(index),
  kind: "extract",
  teamId: "team",
  url: "http://site.test/",
  request: "{}",
  status: "scraping",
  createdAt: index,
  completedAt: null,
  error: null,
  warning: null,
  ...fields
})

const url: DiscoveredUrl = { seq: 0, key: "k", url: "http://site.test/", depth: 0, kind: "start", state: "queued" }
const completed: End = { status: "completed", result: '{"data":1}', credits: 5 }
const cancelled: End = { status: "cancelled", error: "the job was cancelled" }

/** What a test writes with an end, as a store would. */
const writing = (statement: Effect.Effect<unknown, SqlError>) => StorePort.orStoreError(Effect.asVoid(statement))

/** A process's own stores. */
const processOver = Effect.fnUntraced(function* (database: ServiceConfig["database"]) {
  const context = yield* Layer.build(stores(database))
  const accounts = Context.get(context, AccountStore)
  return {
    jobs: Context.get(context, JobStore),
    ledger: Context.get(context, CrawlStore),
    lease: Context.get(context, JobLease),
    seals: Context.get(context, Seals),
    sql: Context.get(context, SqlClient.SqlClient),
    used: accounts.used("team")
  }
})

onEachDatabase("the store of jobs", (database) => {
  const process = Effect.flatMap(database.fresh, processOver)

  it.effect("counts one end of a job: its state, its result and its credits are the first one's", () =>
    Effect.gen(function* () {
      const { jobs, used } = yield* process
      yield* jobs.create(job(1))
      const ends = [yield* jobs.finish(idOf(1), completed, "owner"), yield* jobs.finish(idOf(1), cancelled, "anybody")]
      const [ended] = Option.toArray(yield* jobs.get(idOf(1)))

      expect(ends).toEqual([true, false])
      expect([ended?.status, ended?.error]).toEqual(["completed", null])
      expect(yield* jobs.result(idOf(1))).toEqual(Option.some('{"data":1}'))
      expect(yield* used).toBe(5)
    })
  )

  it.effect("counts one of many ends that come at once", () =>
    Effect.gen(function* () {
      const { jobs, used } = yield* process
      yield* jobs.create(job(1))
      const ends = yield* Effect.all(
        Array.from({ length: 6 }, () => jobs.finish(idOf(1), completed, "anybody")),
        { concurrency: "unbounded" }
      )

      expect(ends.filter((counted) => counted)).toHaveLength(1)
      expect(yield* used).toBe(5)
    })
  )

  it.effect("ends a job as its end says for one that was asked to stop, and as it is where nobody asked", () =>
    Effect.gen(function* () {
      const { jobs, used } = yield* process
      for (const index of [1, 2, 3]) yield* jobs.create(job(index))
      yield* jobs.askToStop(idOf(1))
      yield* jobs.askToStop(idOf(3))
      yield* jobs.finish(idOf(1), { ...completed, ifAskedToStop: cancelled }, "owner")
      yield* jobs.finish(idOf(2), { ...completed, ifAskedToStop: cancelled }, "owner")
      yield* jobs.finish(idOf(3), completed, "owner")
      const ended = yield* Effect.forEach([1, 2, 3], (index) => jobs.get(idOf(index)))

      expect(ended.flatMap(Option.toArray).map(({ status }) => status)).toEqual(["cancelled", "completed", "completed"])
      expect(yield* jobs.result(idOf(1))).toEqual(Option.none())
      expect(yield* used).toBe(10)
    })
  )

  it.effect("can be asked once to stop a job, and not at all once it has ended", () =>
    Effect.gen(function* () {
      const { jobs } = yield* process
      for (const index of [1, 2]) yield* jobs.create(job(index))
      yield* jobs.finish(idOf(2), completed, "owner")
      const before = yield* jobs.isAskedToStop(idOf(1))
      const asked = yield* Effect.forEach([1, 1, 2, 3], (index) => jobs.askToStop(idOf(index)))

      expect(asked).toEqual(["asked", "asked before", "ended", "ended"])
      expect([before, yield* jobs.isAskedToStop(idOf(1)), yield* jobs.isAskedToStop(idOf(2))]).toEqual([
        false,
        true,
        false
      ])
    })
  )

  it.effect(
    "charges the team what a job costs, and nothing for a job that is free, while each job says all of it",
    () =>
      Effect.gen(function* () {
        const { jobs, ledger, used } = yield* process
        for (const index of [1, 2, 3]) {
          yield* jobs.create({ ...job(index), isFree: index === 2 })
          yield* ledger.discover(idOf(index), [url])
          yield* ledger.settle(idOf(index), [
            {
              seq: 0,
              state: "scraped",
              landedKey: "k",
              page: { seq: 0, document: "{}", credits: 3 },
              failures: [],
              discovered: []
            }
          ])
        }
        const spent = yield* used
        yield* jobs.finish(idOf(1), { status: "completed", credits: 4 }, "owner")
        yield* jobs.finish(idOf(2), { status: "completed" }, "owner")
        yield* jobs.finish(idOf(3), { status: "failed", credits: -3 }, "owner")
        const said = yield* Effect.forEach([1, 2, 3], (index) => ledger.ledger(idOf(index)))

        expect(spent).toBe(6)
        expect(said.map(({ credits }) => credits)).toEqual([7, 3, 0])
        expect(yield* used).toBe(7)
      })
  )

  it.effect("writes what else belongs to an end with it, or neither", () =>
    Effect.gen(function* () {
      const { jobs, sql, used } = yield* process
      yield* jobs.create(job(1))
      const also = writing(sql`INSERT INTO job_result (job_id, result) VALUES (${idOf(1)}, 'twice')`)
      const refused = yield* Effect.flip(jobs.finish(idOf(1), { ...completed, also }, "owner"))
      const [between] = Option.toArray(yield* jobs.get(idOf(1)))
      yield* jobs.finish(
        idOf(1),
        { status: "completed", also: writing(sql`UPDATE job SET warning = 'told' WHERE id = ${idOf(1)}`) },
        "owner"
      )
      const [after] = Option.toArray(yield* jobs.get(idOf(1)))

      expect(refused._tag).toBe("StoreError")
      expect([between?.status, after?.status, after?.warning]).toEqual(["scraping", "completed", "told"])
      expect(yield* jobs.result(idOf(1))).toEqual(Option.none())
      expect(yield* used).toBe(0)
    })
  )

  it.effect("tells what is under way of a team and a kind, oldest first", () =>
    Effect.gen(function* () {
      const { jobs } = yield* process
      yield* jobs.create(job(3))
      yield* jobs.create(job(1))
      yield* jobs.create(job(2, { kind: "agent" }))
      yield* jobs.create(job(4, { teamId: "other" }))
      yield* jobs.create(job(5))
      yield* jobs.finish(idOf(5), completed, "owner")

      expect((yield* jobs.active("team", "extract")).map(({ id }) => id)).toEqual([idOf(1), idOf(3)])
    })
  )

  it.effect("keeps every warning, each once", () =>
    Effect.gen(function* () {
      const { jobs } = yield* process
      yield* jobs.create(job(1))
      yield* jobs.warn(idOf(1), "first")
      yield* jobs.warn(idOf(1), "second")
      yield* jobs.warn(idOf(1), "first")

      expect(Option.getOrThrow(yield* jobs.get(idOf(1))).warning).toBe("first; second")
    })
  )

  it.effect("forgets a job that ended before a time with its pages, errors, URLs and result, and no other", () =>
    Effect.gen(function* () {
      const { jobs, ledger, sql } = yield* process
      for (const index of [1, 2]) {
        yield* jobs.create(job(index))
        yield* ledger.discover(idOf(index), [url, { ...url, seq: 1, key: "l" }])
        const page = { seq: 0, document: "{}", credits: 0 }
        yield* ledger.settle(idOf(index), [
          {
            seq: 0,
            state: "scraped",
            landedKey: "k",
            page,
            failures: [],
            discovered: []
          }
        ])
        const failures = [{ id: "f", url: url.url, code: null, error: "no" }]
        yield* ledger.settle(idOf(index), [{ seq: 1, state: "failed", landedKey: "l", failures, discovered: [] }])
      }
      yield* jobs.finish(idOf(1), completed, "owner")
      yield* jobs.expire(0)
      const kept = yield* jobs.get(idOf(1))
      yield* jobs.expire(1)
      const left = yield* Effect.forEach(["crawl_page", "crawl_error", "crawl_url", "job_result"], (table) =>
        sql`SELECT job_id FROM ${sql(table)}`.pipe(Effect.map((rows) => rows.map(({ job_id }) => job_id)))
      )

      expect(Option.isSome(kept)).toBe(true)
      expect(yield* jobs.get(idOf(1))).toEqual(Option.none())
      expect(Option.isSome(yield* jobs.get(idOf(2)))).toBe(true)
      expect(left).toEqual([[idOf(2)], [idOf(2)], [idOf(2), idOf(2)], []])
    })
  )
})

onPostgres("the store of jobs", (database) => {
  it.live("honours a request to stop that another process makes while the end is written", () =>
    Effect.gen(function* () {
      const fresh = yield* database.fresh
      const [one, other] = [yield* processOver(fresh), yield* processOver(fresh)]
      yield* one.jobs.create(job(1))
      const asked = yield* Deferred.make<void>()
      const commit = yield* Deferred.make<void>()
      const asking = yield* Effect.forkScoped(
        other.sql.withTransaction(
          Effect.gen(function* () {
            yield* other.jobs.askToStop(idOf(1))
            yield* Deferred.succeed(asked, undefined)
            yield* Deferred.await(commit)
          })
        )
      )
      yield* Deferred.await(asked)
      const ending = yield* Effect.forkScoped(
        one.jobs.finish(idOf(1), { ...completed, ifAskedToStop: cancelled }, "owner")
      )
      while ((yield* other.sql`SELECT pid FROM pg_locks WHERE NOT granted`).length === 0) yield* Effect.yieldNow
      yield* Deferred.succeed(commit, undefined)
      yield* Fiber.join(asking)
      yield* Fiber.join(ending)

      expect(Option.getOrThrow(yield* one.jobs.get(idOf(1))).status).toBe("cancelled")
    })
  )

  it.effect("forgets old jobs in the process that started first, and their seals in each", () =>
    Effect.gen(function* () {
      const fresh = yield* database.fresh
      const [one, other] = [yield* processOver(fresh), yield* processOver(fresh)]
      const [old, young] = [uuid7(1), uuid7(2000)]
      for (const id of [old, young]) yield* other.jobs.create({ ...job(1), id, isSealed: true })
      yield* other.jobs.finish(old, { status: "completed" }, "owner")
      yield* other.jobs.expire(1000)
      const kept = [Option.isSome(yield* one.jobs.get(old)), other.seals.jobs()]
      yield* one.jobs.expire(1000)
      yield* other.jobs.expire(1000)

      expect(kept).toEqual([true, [old, young]])
      expect(yield* one.jobs.get(old)).toEqual(Option.none())
      expect(other.seals.jobs()).toEqual([young])
    })
  )

  it.effect("ends no job as its owner that another process has taken", () =>
    Effect.gen(function* () {
      const fresh = yield* database.fresh
      const [one, other] = [yield* processOver(fresh), yield* processOver(fresh)]
      yield* one.jobs.create(job(1))
      yield* one.lease.release
      yield* other.lease.take
      const ends = [yield* one.jobs.finish(idOf(1), completed, "owner"), yield* one.jobs.result(idOf(1))]

      expect(ends).toEqual([false, Option.none()])
      expect(yield* other.jobs.finish(idOf(1), completed, "owner")).toBe(true)
    })
  )
})
