import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import { onPostgres } from "../databases.ts"
import { measuredSites } from "./measuredSite.ts"
import { crawl, process, readToEnd } from "./serveProcess.ts"

const urlOf = (database: string | Redacted.Redacted) =>
  Redacted.isRedacted(database) ? Redacted.value(database) : database

onPostgres("hosts of two processes", (databases) => {
  it.live(
    "keep the crawl delay of a site, measured by the site",
    () =>
      Effect.gen(function* () {
        const sites = yield* measuredSites([{ name: "slow.test", pages: 6, delaySeconds: 1, millis: 5 }])
        const database = urlOf(yield* databases.fresh)
        const one = yield* process(database, sites.port, ["slow.test"])
        const other = yield* process(database, sites.port, ["slow.test"])
        const ids = yield* Effect.all([crawl(one.url, "slow.test"), crawl(other.url, "slow.test")])
        const read = yield* Effect.all(
          ids.map((id) => readToEnd(one.url, id)),
          { concurrency: 2 }
        )
        const gap = sites.smallestGap("slow.test")
        console.log(`smallest gap: ${gap.toFixed(0)} ms of 1000`)

        expect(read.map(({ titles }) => titles.length)).toEqual([6, 6])
        expect(sites.of("slow.test").asked).toHaveLength(12)
        expect(gap).toBeGreaterThan(980)
        expect(sites.of("slow.test").peak).toBe(1)
      }),
    60_000
  )

  it.live(
    "move within eight seconds when their process is killed, and no page is lost",
    () =>
      Effect.gen(function* () {
        const names = Array.from({ length: 9 }, (_, index) => `h${index}.test`)
        const sites = yield* measuredSites(names.map((name) => ({ name, pages: 60, delaySeconds: 0, millis: 200 })))
        const database = urlOf(yield* databases.fresh)
        const one = yield* process(database, sites.port, names)
        const other = yield* process(database, sites.port, names)
        const ids = yield* Effect.all(names.map((name) => crawl(one.url, name, { maxConcurrency: 2 })))
        yield* Effect.all(names.map((name) => sites.reached(name, 8)))
        const killedAt = performance.now()
        yield* other.signal("SIGKILL")
        const read = yield* Effect.all(
          ids.map((id) => readToEnd(one.url, id)),
          { concurrency: 9 }
        )
        const silences = names.map((name) =>
          longestSilence(
            sites.of(name).asked.map(({ at }) => at),
            killedAt
          )
        )
        const moved = silences.filter((millis) => millis > 1000).toSorted((a, b) => a - b)
        console.log(`${moved.length} of 9 hosts moved, in ${moved.map((millis) => Math.round(millis)).join(", ")} ms`)

        expect(read.map(({ titles }) => new Set(titles).size)).toEqual(names.map(() => 60))
        expect(read.map(({ titles }) => titles.length)).toEqual(names.map(() => 60))
        expect(moved.length).toBeGreaterThan(0)
        expect(Math.max(...moved)).toBeLessThan(8000)
        // Only what was in flight is fetched twice.
        for (const name of names) expect(sites.of(name).asked.length).toBeLessThanOrEqual(62)
      }),
    90_000
  )
})

/** The longest time without a request that ends after this moment. */
const longestSilence = (times: ReadonlyArray<number>, after: number): number =>
  Math.max(...times.slice(1).map((at, index) => (at < after ? 0 : at - (times[index] ?? at))))
