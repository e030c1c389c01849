import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { expect } from "vitest"
import type { ServiceConfig } from "#service/ServiceConfig"
import { onEachDatabase } from "../databases.ts"
import { receiver } from "../receiver.ts"
import { gate, scriptedSite } from "../scriptedSite.ts"
import { hosts, served } from "../served.ts"
import { stores } from "../serviceParts.ts"

/** In every value that may be a credential, and nowhere else. */
const secret = "quokkaburrow"
const url = "http://site.test/"
const sealKey = Redacted.make("the key of all processes")

/** Every row of every table, as text. */
const storedIn = Effect.fnUntraced(
  function* (_place: ServiceConfig["database"]) {
    const sql = yield* SqlClient.SqlClient
    const tables = yield* sql.onDialectOrElse({
      pg: () => sql<{ name: string }>`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
      orElse: () => sql<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'table'`
    })
    const rows = yield* Effect.forEach(tables, ({ name }) => sql`SELECT * FROM ${sql(name)}`)
    return rows.flat().map((row) => JSON.stringify(row))
  },
  (read, place) => Effect.provide(read, stores(place, sealKey))
)

onEachDatabase("what may be a credential", (database) => {
  it.live("reaches the site and the receiver, and is not in the store as it is", () =>
    Effect.gen(function* () {
      const place = yield* database.fresh
      const held = gate("<h1>A page</h1>")
      const hook = yield* receiver()
      const sent: Array<unknown> = []
      const site = yield* scriptedSite({
        "/": (request, response) => {
          sent.push(request.headers["x-own"])
          held.answer(request, response)
        },
        [`/hook-${secret}`]: hook.answer
      })
      const { ask } = yield* served({ database: place, resolve: hosts(site.port), sealKey })
      const headers = { "x-own": secret }
      const webhook = { url: `${url}hook-${secret}`, headers: { "x-hook": secret } }
      const scrapeOptions = { headers }
      const bodies: ReadonlyArray<readonly [string, object]> = [
        ["/v2/crawl", { url, scrapeOptions, webhook }],
        ["/v2/batch/scrape", { urls: [url], headers, webhook: `${url}hook-${secret}` }],
        ["/v2/extract", { urls: [url], prompt: "the title", scrapeOptions, webhook }],
        ["/v2/agent", { urls: [url], prompt: "the title", webhook }],
        [
          "/v2/monitor",
          {
            name: "watch",
            schedule: { cron: "0 0 1 1 *", timezone: "UTC" },
            targets: [{ type: "scrape", urls: [url], scrapeOptions }],
            webhook
          }
        ]
      ]
      const heard = yield* Effect.forkChild(hook.untilEnd)
      const answers = yield* Effect.forEach(bodies, ([path, body]) => ask("POST", path, { body }))
      yield* held.reached
      const stored = yield* storedIn(place)
      const monitor = yield* ask("GET", `/v2/monitor/${answers[4]?.body.data?.id ?? answers[4]?.body.id}`)
      yield* held.open
      const events = yield* Fiber.join(heard)

      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      expect(stored.length).toBeGreaterThan(5)
      expect(stored.filter((row) => row.includes(secret))).toEqual([])
      expect(sent).toContain(secret)
      expect(events.map(({ headers }) => headers["x-hook"])).toContain(secret)
      expect(JSON.stringify(monitor.body)).toContain(secret)
    })
  )

  it.live("that was written before there was a seal is read as it is", () =>
    Effect.gen(function* () {
      const place = yield* database.fresh
      const held = gate("<h1>A page</h1>")
      const site = yield* scriptedSite({ "/": "<a href='/held'>on</a>", "/held": held.answer })
      const sent: Array<unknown> = []
      const told = yield* scriptedSite({
        "/": (request, response) => {
          sent.push(request.headers["x-own"])
          response.end("<h1>A page</h1>")
        }
      })
      const request = { url, scrapeOptions: { headers: { "x-own": secret } } }
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { ask } = yield* served({ database: place, resolve: hosts(site.port), sealKey })
          yield* ask("POST", "/v2/crawl", { body: request })
          yield* held.reached
        })
      )
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE job SET request = ${JSON.stringify(request)}`
        yield* sql`UPDATE crawl_url SET state = 'queued', url = ${url}`
      }).pipe(Effect.provide(stores(place, sealKey)))
      const { ask } = yield* served({ database: place, resolve: hosts(told.port), sealKey })
      while (sent.length === 0) yield* Effect.sleep("20 millis")
      yield* ask("GET", "/v2/crawl/active")

      expect(sent).toContain(secret)
    })
  )
})
