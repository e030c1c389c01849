/**
 * Faults that last: only a soak waits for them. A minute without Postgres, beside a host that takes every connection and
 * answers none; and a process that stands still until its lease has ended.
 */
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { soaking } from "../../thoroughness.ts"
import { onPostgres } from "../databases.ts"
import { cuttable } from "./cuttable.ts"
import { type Host, measuredSites } from "./measuredSite.ts"
import { crawl, process, readToEnd, urlOf } from "./serveProcess.ts"
import { expectWhole, nineHosts, perHost } from "./wholeCrawls.ts"

const hosts = nineHosts("long")
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
            return {
              way,
              process: yield* process(way.url, sites.port, [...names, never.name], [`--per-host=${perHost}`])
            }
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
          const sum = before.reduce((sum, count) => sum + count, 0)
          console.log(`read before the minute ${sum}; the host that never answers: ${hung.status}, ${hung.error}`)

          expectWhole(sites, hosts, read)
          expect(hung).toMatchObject({ status: "failed", titles: [] })
        }),
      900_000
    )
  })

  onPostgres("a process that stands still for longer than its lease", (databases) => {
    it.live(
      "finds what others have taken, stops it, and every page is counted once",
      () =>
        Effect.gen(function* () {
          const sites = yield* measuredSites(hosts)
          const names = hosts.map(({ name }) => name)
          const database = urlOf(yield* databases.fresh)
          const serve = process(database, sites.port, names, [`--per-host=${perHost}`])
          const [one, other] = yield* Effect.all([serve, serve], { concurrency: 2 })
          const ids = yield* Effect.forEach(names, (name) => crawl(one.url, name, { maxConcurrency: 1 }))
          yield* Effect.all(
            names.map((name) => sites.reached(name, 2)),
            { concurrency: "unbounded" }
          )
          yield* one.signal("SIGSTOP")
          yield* Effect.sleep("20 seconds")
          yield* one.signal("SIGCONT")
          const read = yield* Effect.all(
            ids.map((id) => readToEnd(other.url, id)),
            { concurrency: "unbounded" }
          )
          yield* one.signal("SIGTERM")
          const { stderr, stdout } = yield* one.ended

          expectWhole(sites, hosts, read)
          expect(stdout + stderr).toContain("this process gave no sign for 15 s")
        }),
      300_000
    )
  })
})
