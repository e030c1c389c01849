import * as PgClient from "@effect/sql-pg/PgClient"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import { expect } from "vitest"
import type { ServiceConfig } from "#service/ServiceConfig"
import { type Database, onPostgres } from "./databases.ts"
import { receiver } from "./receiver.ts"
import { gate, page, scriptedSite } from "./scriptedSite.ts"
import { hosts, type Service, served } from "./served.ts"
import { watch } from "./watch.ts"

const url = "http://site.test/"

const start = (service: Service, request: object = {}) =>
  Effect.map(service.ask("POST", "/v2/crawl", { body: { url, sitemap: "skip", ...request } }), ({ body }) => body.id)

/** By `skip`, until the job is over and there is no more: the titles of its pages, and its last status. */
const readToEnd = Effect.fnUntraced(function* (service: Service, path: string) {
  const titles: Array<string> = []
  for (;;) {
    const { status: answered, body } = yield* service.ask("GET", `${path}?skip=${titles.length}`)
    // The service may have asked over a connection that was cut just then, and says to try again.
    if (answered === 500) continue
    titles.push(...body.data.map(({ metadata }: { metadata: { title: string } }) => metadata.title))
    if (body.status !== "scraping" && body.data.length === 0) return { titles: titles.toSorted(), status: body }
  }
})

const inDatabase = (database: ServiceConfig["database"], statement: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Record<string, unknown>>(statement)).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.isRedacted(database) ? database : Redacted.make(database) }))
  )

const tests = (database: Database): void => {
  /** Two services over one database, on a site whose second page waits. */
  const two = Effect.gen(function* () {
    const slow = gate(page("slow", "/c"))
    const site = yield* scriptedSite({
      "/": page("home", "/slow", "/b"),
      "/slow": slow.answer,
      "/b": page("b"),
      "/c": page("c")
    })
    const fresh = yield* database.fresh
    const config = { database: fresh, resolve: hosts(site.port) }
    return { slow, site, fresh, config, one: yield* served(config), other: yield* served(config) }
  })

  it.live("is run by the one that started it, and read through either while it runs", () =>
    Effect.gen(function* () {
      const { slow, site, one, other } = yield* two
      const id = yield* start(one, { maxConcurrency: 1 })
      yield* slow.reached
      const held = yield* Effect.forkChild(other.ask("GET", `/v2/crawl/${id}?skip=1`))
      const watched = watch(other, `/v2/crawl/${id}`)
      yield* watched.first
      yield* slow.open
      const { titles, status } = yield* readToEnd(other, `/v2/crawl/${id}`)

      expect((yield* Fiber.join(held)).body.data.length).toBeGreaterThan(0)
      expect(yield* watched.closed).toEqual({ code: 1000, reason: '{"type":"done"}' })
      expect(watched.titles().toSorted()).toEqual(titles)
      expect(titles).toEqual(["b", "c", "home", "slow"])
      expect(status).toMatchObject({ status: "completed", total: 4, creditsUsed: 4 })
      expect(site.requests.filter((path) => path !== "/robots.txt").toSorted()).toEqual(["/", "/b", "/c", "/slow"])
    })
  )

  it.live("stops where it runs when it is cancelled through the other", () =>
    Effect.gen(function* () {
      const { slow, one, other } = yield* two
      const id = yield* start(one)
      yield* slow.reached
      const cancelled = yield* other.ask("DELETE", `/v2/crawl/${id}`)
      yield* slow.left
      const again = yield* one.ask("DELETE", `/v2/crawl/${id}`)
      const { status } = yield* readToEnd(one, `/v2/crawl/${id}`)
      const { discovered, scraped, failed, blocked, left } = status.ledger

      expect(cancelled.body).toEqual({ status: "cancelled" })
      expect(again.status).toBe(409)
      expect(status.status).toBe("cancelled")
      expect(left).toBeGreaterThan(0)
      expect(discovered).toBe(scraped + failed + blocked + left)
    })
  )

  it.live("is handed over when its process stops", () =>
    Effect.gen(function* () {
      const { slow, config, other } = yield* two
      const scope = yield* Scope.make()
      const stopping = yield* Scope.provide(served(config), scope)
      const id = yield* start(stopping)
      yield* slow.reached
      yield* Scope.close(scope, Exit.void)
      yield* slow.open
      const { titles, status } = yield* readToEnd(other, `/v2/crawl/${id}`)

      expect(titles).toEqual(["b", "c", "home", "slow"])
      expect(status.ledger).toEqual({ discovered: 4, scraped: 4, failed: 0, blocked: 0, left: 0, aliases: 0 })
    })
  )

  it.live("is finished once where its process has lost it without knowing", () =>
    Effect.gen(function* () {
      const { slow, fresh, one, other } = yield* two
      const id = yield* start(one)
      yield* slow.reached
      yield* inDatabase(fresh, `UPDATE job SET owner = 'a process that died'`)
      yield* slow.open
      const { titles, status } = yield* readToEnd(other, `/v2/crawl/${id}`)

      expect(titles).toEqual(["b", "c", "home", "slow"])
      expect(status).toMatchObject({ status: "completed", total: 4, creditsUsed: 4 })
      expect(yield* readToEnd(one, `/v2/crawl/${id}`)).toMatchObject({ titles })
    })
  )

  it.live("goes on when the connections of both are cut", () =>
    Effect.gen(function* () {
      const { slow, fresh, one, other } = yield* two
      const id = yield* start(one)
      yield* slow.reached
      while ((yield* one.ask("GET", `/v2/crawl/${id}`)).body.completed < 2) continue
      // A job whose own question is cut waits until its lease is over: here they are cut while nobody asks.
      const ours = "datname = current_database() AND application_name = 'millrace'"
      const cut = inDatabase(
        fresh,
        `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE ${ours} AND NOT EXISTS (SELECT 1 FROM pg_stat_activity WHERE ${ours} AND state <> 'idle')`
      )
      let pids: ReadonlyArray<unknown> = []
      while (pids.length === 0) pids = (yield* cut).map(({ pid }) => pid)
      const dying = inDatabase(fresh, `SELECT pid FROM pg_stat_activity WHERE pid IN (${pids.join()})`)
      while ((yield* dying).length > 0) continue
      yield* slow.open
      const { titles, status } = yield* readToEnd(other, `/v2/crawl/${id}`)

      expect(titles).toEqual(["b", "c", "home", "slow"])
      expect(status).toMatchObject({ status: "completed", creditsUsed: 4 })
    })
  )

  it.live("takes URLs that are added through the other", () =>
    Effect.gen(function* () {
      const { slow, one, other } = yield* two
      const { body } = yield* one.ask("POST", "/v2/batch/scrape", { body: { urls: [`${url}slow`] } })
      yield* slow.reached
      const added = yield* other.ask("POST", "/v2/batch/scrape", {
        body: { urls: [`${url}b`, `${url}c`], appendToId: body.id }
      })
      yield* slow.open
      const { titles } = yield* readToEnd(other, `/v2/batch/scrape/${body.id}`)

      expect(added.body.id).toBe(body.id)
      expect(titles).toEqual(["b", "c", "slow"])
    })
  )

  it.live("is started once by a key that both are sent", () =>
    Effect.gen(function* () {
      const { one, other } = yield* two
      const headers = { "x-idempotency-key": "0190c0de-0000-7000-8000-000000000000" }
      const asks = [one, other, one, other].map(({ ask }) => ask("POST", "/v2/crawl", { body: { url }, headers }))
      const answers = yield* Effect.all(asks, { concurrency: "unbounded" })

      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
    })
  )

  it.live("tells its webhook each event once and in order while both are there", () =>
    Effect.gen(function* () {
      const hook = yield* receiver()
      const links = Array.from({ length: 30 }, (_, index) => `/p${index}`)
      const pages = Object.fromEntries(links.map((link) => [link, page(link)]))
      const site = yield* scriptedSite({ "/": page("home", ...links), ...pages, "/hook": hook.answer })
      const config = { database: yield* database.fresh, resolve: hosts(site.port) }
      const one = yield* served(config)
      yield* served(config)
      const id = yield* start(one, { webhook: `${url}hook` })
      const told = yield* hook.untilEnd
      const { body } = yield* one.ask("GET", `/v2/crawl/${id}`)

      expect(told).toHaveLength(33)
      expect(told.slice(1, -1).map(({ payload }) => payload.data[0])).toEqual(body.data)
      expect(yield* hook.waiting).toBe(0)
    })
  )

  it.live("has its webhook told by the one that is left", () =>
    Effect.gen(function* () {
      const hook = yield* receiver()
      const slow = gate(page("slow"))
      const site = yield* scriptedSite({ "/": page("home", "/slow"), "/slow": slow.answer, "/hook": hook.answer })
      const config = { database: yield* database.fresh, resolve: hosts(site.port) }
      yield* served(config)
      const scope = yield* Scope.make()
      const stopping = yield* Scope.provide(served(config), scope)
      yield* start(stopping, { webhook: `${url}hook` })
      yield* slow.reached
      const before = [yield* hook.next, yield* hook.next]
      yield* Scope.close(scope, Exit.void)
      yield* slow.open
      const told = [...before, ...(yield* hook.untilEnd)]

      // What was on its way when the service stopped may come again, as it was.
      const types = new Map(told.map(({ payload }) => [payload.webhookId, payload.type]))
      expect([...types.values()]).toEqual(["crawl.started", "crawl.page", "crawl.page", "crawl.completed"])
    })
  )
}

onPostgres("a job that two processes can see", tests, { concurrent: true })
