import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { storedRules } from "#service/cluster/clusteredPlaces"
import type { PoliteFetch } from "#web/PoliteFetch"
import { fetchOptions } from "#web/SiteRules"
import { ask } from "../../e2e/servedProcess.ts"
import { isEveryCase, soaking, timesOf } from "../../thoroughness.ts"
import { type Database, onPostgres } from "../databases.ts"
import { measuredSites } from "./measuredSite.ts"
import { crawl, process, readToEnd, urlOf } from "./serveProcess.ts"

const perHost = timesOf(25, 60, 60)

/**
 * What is claimed holds on a machine that does nothing else, where a soak runs. Beside the other tests a process may stand still
 * between its turn and its bytes, or lose a lock that it did not renew in time: then pace suffers, and no page is lost.
 */
const bound = soaking
  ? { gapMillis: 980, fetched: perHost + 2, bad: /error|warn/i }
  : { gapMillis: 800, fetched: perHost + 20, bad: /\berror\b/i }

onPostgres("hosts of two processes", (databases) => {
  it.live(
    "keep the crawl delay of a site, measured by the site",
    () =>
      Effect.gen(function* () {
        const sites = yield* measuredSites([{ name: "slow.test", pages: 6, delaySeconds: 1, millis: 5 }])
        const database = urlOf(yield* databases.fresh)
        const one = yield* process(database, sites.port, ["slow.test"])
        const other = yield* process(database, sites.port, ["slow.test"])
        // What one job asks for binds no other, in no process.
        yield* Effect.all([one, other].map(({ url }) => crawl(url, "slow.test", { delay: 86_400 })))
        const ids = yield* Effect.all([crawl(one.url, "slow.test"), crawl(other.url, "slow.test")])
        const read = yield* Effect.all(
          ids.map((id) => readToEnd(one.url, id)),
          { concurrency: 2 }
        )
        const gap = sites.smallestGap("slow.test")
        console.log(`smallest gap: ${gap.toFixed(0)} ms of 1000`)

        expect(read.map(({ titles }) => titles.length)).toEqual([6, 6])
        expect(sites.of("slow.test").asked).toHaveLength(14)
        expect(gap).toBeGreaterThan(bound.gapMillis)
        expect(sites.of("slow.test").peak).toBe(1)
      }),
    180_000
  )

  it.live(
    "move when their process is killed, and no page is lost",
    () =>
      Effect.gen(function* () {
        const { ids, names, one, other, sites } = yield* nineCrawls(databases.fresh)
        // On a busy machine the second process may come when all hosts have their place.
        yield* whileAsking(other.url, hasHosts)
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

        expect(read.map(({ titles }) => new Set(titles).size)).toEqual(names.map(() => perHost))
        expect(read.map(({ titles }) => titles.length)).toEqual(names.map(() => perHost))
        expect(moved.length).toBeGreaterThan(0)
        // Only what was in flight is fetched twice.
        for (const name of names) expect(sites.of(name).asked.length).toBeLessThanOrEqual(bound.fetched)
      }),
    180_000
  )

  // In a sample `places.test.ts` shows it, with two places in one process.
  it.live.runIf(isEveryCase)(
    "are handed over before their process ends, and come to a process that joins",
    () =>
      Effect.gen(function* () {
        const { database, ids, names, one, other, sites } = yield* nineCrawls(databases.fresh)
        // A host that moves to the process that came last is on its way for a moment.
        const before = yield* whileAsking(one.url, ({ hosts }) => hosts === 9)
        const stoppedAt = performance.now()
        yield* other.signal("SIGTERM")
        const { code, stderr, stdout } = yield* other.ended
        const endedAfter = performance.now() - stoppedAt
        const third = yield* process(database, sites.port, names)
        const joined = yield* whileAsking(third.url, hasHosts)
        const read = yield* Effect.all(
          ids.map((id) => readToEnd(third.url, id)),
          { concurrency: 9 }
        )
        const silences = names.map((name) =>
          longestSilence(
            sites.of(name).asked.map(({ at }) => at),
            stoppedAt
          )
        )
        console.log(
          `ended after ${Math.round(endedAfter)} ms; the longest silence of a host: ${Math.round(Math.max(...silences))} ms`
        )

        expect(before.processes.map(({ state }) => state)).toEqual(["serving", "serving"])
        expect(code).toBe(130)
        expect(
          (stdout + stderr)
            .split("\n")
            .filter((line) => bound.bad.test(line) && !line.includes("the event loop stood still"))
        ).toEqual([])
        expect(joined.processes).toHaveLength(2)
        expect(read.map(({ titles }) => [titles.length, new Set(titles).size])).toEqual(
          names.map(() => [perHost, perHost])
        )
      }),
    180_000
  )
})

interface Seen {
  readonly hosts: number
  readonly processes: ReadonlyArray<{ readonly answersThis: boolean; readonly hosts: number; readonly state: string }>
}

/** Whether the process that is asked has a host. */
const hasHosts = ({ processes }: Seen): boolean => processes.some(({ answersThis, hosts }) => answersThis && hosts > 0)

/** Asks for the cluster until it is so. */
const whileAsking = (url: string, isSo: (seen: Seen) => boolean): Effect.Effect<Seen> =>
  Effect.flatMap(ask(`${url}/cluster`), (seen: Seen) =>
    isSo(seen) ? Effect.succeed(seen) : Effect.delay(whileAsking(url, isSo), "40 millis")
  )

/** The longest time without a request that ends after this moment. */
const longestSilence = (times: ReadonlyArray<number>, after: number): number =>
  Math.max(...times.slice(1).map((at, index) => (at < after ? 0 : at - (times[index] ?? at))))

/** Nine hosts that two processes crawl, each of which has been asked for some pages. */
const nineCrawls = Effect.fnUntraced(function* (fresh: Database["fresh"]) {
  const names = Array.from({ length: 9 }, (_, index) => `h${index}.test`)
  const sites = yield* measuredSites(names.map((name) => ({ name, pages: perHost, delaySeconds: 0, millis: 300 })))
  const database = urlOf(yield* fresh)
  const one = yield* process(database, sites.port, names)
  const other = yield* process(database, sites.port, names)
  const ids = yield* Effect.all(names.map((name) => crawl(one.url, name, { maxConcurrency: 2 })))
  yield* Effect.all(names.map((name) => sites.reached(name, 8)))
  return { database, ids, names, one, other, sites }
})

const rules = new URL("http://site.test/robots.txt")

/** A host that answers with this status, and what it was asked for. */
const host = (status: number) => {
  const asked: Array<string> = []
  const polite: PoliteFetch["Service"] = {
    get: (url) =>
      Effect.sync(() => {
        asked.push(url.href)
        const body = new TextEncoder().encode(`${asked.length}`)
        return { status, contentType: undefined, location: undefined, retryAfter: undefined, body }
      })
  }
  return { asked, polite }
}

describe("the rules that the place of a host keeps", () => {
  it.effect("are asked for once an hour, whoever asks, and at once", () =>
    Effect.gen(function* () {
      const { asked, polite } = host(200)
      const kept = yield* storedRules(polite)
      const ask = kept.get(rules, fetchOptions, 0)
      yield* Effect.all([ask, ask, ask], { concurrency: "unbounded" })
      yield* TestClock.adjust("59 minutes")
      yield* ask
      expect(asked.length).toBe(1)
      yield* TestClock.adjust("2 minutes")
      yield* ask

      expect(asked.length).toBe(2)
    })
  )

  it.effect("are not those of a host in trouble, and no page is kept", () =>
    Effect.gen(function* () {
      for (const status of [429, 500, 503]) {
        const { asked, polite } = host(status)
        const kept = yield* storedRules(polite)
        yield* kept.get(rules, fetchOptions, 0)
        yield* kept.get(rules, fetchOptions, 0)
        expect([status, asked.length]).toEqual([status, 2])
      }
      const { asked, polite } = host(200)
      const kept = yield* storedRules(polite)
      for (const url of [rules, rules, new URL("http://site.test/")]) yield* kept.get(url, { timeoutMillis: 1000 }, 0)

      expect(asked.length).toBe(3)
    })
  )
})

onPostgres("robots.txt of a host", (database) => {
  // In a sample the rules of one place show it.
  it.live.runIf(isEveryCase)("is asked for once where the host lives, whichever processes have jobs there", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 6 }, (_, at) => `rules${at}.test`)
      const sites = yield* measuredSites(names.map((name) => ({ name, pages: 3, delaySeconds: 1, millis: 10 })))
      const url = urlOf(yield* database.fresh)
      const serve = process(url, sites.port, names)
      const processes = yield* Effect.all([serve, serve], { concurrency: 2 })
      const crawls = processes.flatMap((one) => names.map((name) => crawl(one.url, name)))
      const ids = yield* Effect.all(crawls, { concurrency: "unbounded" })
      const read = yield* Effect.forEach(ids, (id) => readToEnd(processes[0]?.url ?? "", id), {
        concurrency: "unbounded"
      })

      expect(read.map(({ titles }) => titles.length)).toEqual(ids.map(() => 3))
      // A host that moves, as one may while processes join, is asked again where it lives then.
      const { processes: places } = yield* ask(`${processes[0]?.url}/cluster`)
      const arrivals = places.reduce((sum: number, one: { arrivals: number }) => sum + one.arrivals, 0)
      const asked = names.reduce((sum, name) => sum + sites.of(name).rules, 0)
      expect(asked).toBeGreaterThanOrEqual(names.length)
      expect(asked).toBeLessThanOrEqual(arrivals)
    })
  )
})
