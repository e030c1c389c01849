import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { storedRules } from "#service/cluster/clusteredPlaces"
import type { PoliteFetch } from "#web/PoliteFetch"
import { fetchOptions } from "#web/SiteRules"
import { ask } from "../../e2e/servedProcess.ts"
import { isEveryCase } from "../../thoroughness.ts"
import { onPostgres } from "../databases.ts"
import { measuredSites } from "./measuredSite.ts"
import { crawl, process, readToEnd, urlOf } from "./serveProcess.ts"

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
