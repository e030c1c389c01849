/** Processes whose clocks are half a minute ahead and behind, one of which is killed: a soak, where there is `faketime`. */
import { spawnSync } from "node:child_process"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { soaking } from "../../soak.ts"
import { onPostgres } from "../databases.ts"
import { type Host, measuredSites } from "./measuredSite.ts"
import { crawl, process, readToEnd, urlOf } from "./serveProcess.ts"

const pages = 30
const hosts: ReadonlyArray<Host> = Array.from({ length: 9 }, (_, index) => ({
  name: `clock${index}.test`,
  pages,
  delaySeconds: index % 3 === 0 ? 1 : 0,
  millis: 300
}))
const names = hosts.map(({ name }) => name)
const perHost = 2

/** What starts a process with a clock that is so many seconds off; the clock that only counts is left alone. */
const off = (seconds: string) => ["env", "FAKETIME_DONT_FAKE_MONOTONIC=1", "faketime", "-f", `${seconds}s`]
const canBe = spawnSync("faketime", ["--version"]).error === undefined

if (soaking && !canBe) globalThis.process.stderr.write("TESTS OF OTHER CLOCKS ARE SKIPPED: faketime is not installed\n")

describe.skipIf(!soaking || !canBe)("processes with clocks of their own", () => {
  onPostgres("a minute apart", (databases) => {
    it.live(
      "read every page once, at its host's pace, also after the one that is ahead was killed",
      () =>
        Effect.gen(function* () {
          const sites = yield* measuredSites(hosts)
          const database = urlOf(yield* databases.fresh)
          const [ahead, behind, right] = yield* Effect.all(
            [off("+30"), off("-30"), []].map((inside) =>
              process(database, sites.port, names, [`--per-host=${perHost}`], { inside })
            ),
            { concurrency: 3 }
          )
          if (ahead === undefined || behind === undefined || right === undefined) return yield* Effect.die("three")
          const of = [ahead, behind, right]
          const ids = yield* Effect.forEach(names, (name, index) =>
            crawl(of[index % 3]?.url ?? "", name, { maxConcurrency: 3 })
          )
          yield* Effect.all(
            names.map((name) => sites.reached(name, 5)),
            { concurrency: "unbounded" }
          )
          yield* ahead.signal("SIGKILL")
          const read = yield* Effect.all(
            ids.map((id, index) => readToEnd((index % 2 === 0 ? behind : right).url, id)),
            { concurrency: "unbounded" }
          )
          const again = names.reduce((sum, name) => sum + sites.of(name).asked.length - pages, 0)
          const gaps = hosts.filter(({ delaySeconds }) => delaySeconds > 0).map(({ name }) => sites.smallestGap(name))
          const peak = Math.max(...names.map((name) => sites.of(name).peak))
          console.log(
            `fetched again ${again}, smallest gap ${Math.round(Math.min(...gaps))} ms of 1000, most in flight ${peak} of ${perHost}`
          )

          for (const [index, { error, ledger, status, titles }] of read.entries()) {
            expect({ index, status, error }).toEqual({ index, status: "completed", error: undefined })
            expect(ledger).toMatchObject({ discovered: pages, scraped: pages, failed: 0, blocked: 0 })
            expect(new Set(titles).size).toBe(pages)
          }
          expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000)
          expect(peak).toBeLessThanOrEqual(perHost)
        }),
      900_000
    )
  })
})
