/**
 * Faults that last: only a soak waits for them. A minute without Postgres, beside a host that takes every connection and
 * answers none.
 */
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { soaking } from "../../soak.ts"
import { onPostgres } from "../databases.ts"
import { cuttable } from "./cuttable.ts"
import { type Host, measuredSites } from "./measuredSite.ts"
import { crawl, process, readToEnd, urlOf } from "./serveProcess.ts"

const pages = 30
const hosts: ReadonlyArray<Host> = Array.from({ length: 9 }, (_, index) => ({
  name: `long${index}.test`,
  pages,
  delaySeconds: index % 3 === 0 ? 1 : 0,
  millis: 400
}))
const never: Host = { name: "never.test", pages: 1, delaySeconds: 0, millis: 2 ** 31 - 1 }

describe.skipIf(!soaking)("faults that last", () => {
  onPostgres("three processes", (databases) => {
    it.live(
      "go on after a minute without their database, and a host that never answers keeps nobody waiting",
      () =>
        Effect.gen(function* () {
          const sites = yield* measuredSites([...hosts, never])
          const names = hosts.map(({ name }) => name)
          const database = urlOf(yield* databases.fresh)
          const serve = Effect.gen(function* () {
            const way = yield* cuttable(database)
            return { way, process: yield* process(way.url, sites.port, [...names, never.name]) }
          })
          const slots = yield* Effect.all([serve, serve, serve], { concurrency: 3 })
          const urlAt = (index: number) => slots[index % 3]?.process.url ?? ""
          const stuck = yield* crawl(urlAt(0), never.name)
          const ids = yield* Effect.forEach(names, (name, index) => crawl(urlAt(index), name, { maxConcurrency: 2 }))
          yield* Effect.all(
            names.map((name) => sites.reached(name, 3)),
            { concurrency: "unbounded" }
          )
          const before = names.map((name) => sites.of(name).asked.length)
          yield* slots.reduce((meanwhile: Effect.Effect<void>, { way }) => way.cut(meanwhile), Effect.sleep("1 minute"))
          const read = yield* Effect.all(
            ids.map((id, index) => readToEnd(urlAt(index), id)),
            { concurrency: "unbounded" }
          )
          const hung = yield* readToEnd(urlAt(1), stuck)
          const gaps = hosts.filter(({ delaySeconds }) => delaySeconds > 0).map(({ name }) => sites.smallestGap(name))
          const again = names.reduce((sum, name) => sum + sites.of(name).asked.length - pages, 0)
          console.log(
            `read before the minute ${before.reduce((sum, count) => sum + count, 0)}, fetched again ${again}, ` +
              `smallest gap ${Math.round(Math.min(...gaps))} ms of 1000; the host that never answers: ${hung.status}, ${hung.error}`
          )

          for (const [index, { error, ledger, status, titles }] of read.entries()) {
            expect({ index, status, error }).toEqual({ index, status: "completed", error: undefined })
            expect(ledger).toMatchObject({ discovered: pages, scraped: pages, failed: 0, blocked: 0 })
            expect(new Set(titles).size).toBe(pages)
          }
          expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000)
          expect(hung).toMatchObject({ status: "failed", titles: [] })
        }),
      900_000
    )
  })
})
