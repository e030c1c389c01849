/** Processes on networks of their own that lose each other, though each reaches the database and the sites: a soak. */
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { soaking } from "../../soak.ts"
import { onPostgres } from "../databases.ts"
import { cuttable } from "./cuttable.ts"
import { type Host, measuredSites } from "./measuredSite.ts"
import { canBe, networks } from "./networks.ts"
import { crawl, process, readToEnd, urlOf } from "./serveProcess.ts"

const pages = 30
const hosts: ReadonlyArray<Host> = Array.from({ length: 9 }, (_, index) => ({
  name: `parted${index}.test`,
  pages,
  delaySeconds: index % 3 === 0 ? 1 : 0,
  millis: 300
}))
const names = hosts.map(({ name }) => name)
const port = 3100
const perHost = 2

if (soaking && !canBe) globalThis.process.stderr.write("TESTS OF PARTED NETWORKS ARE SKIPPED: no `ip netns` here\n")

describe.skipIf(!soaking || !canBe)("processes on three networks", () => {
  onPostgres("two of which lose each other", (databases) => {
    it.live(
      "read every page once, at its host's pace, though they cannot ask each other for 15 seconds",
      () =>
        Effect.gen(function* () {
          const { all, outside, parted } = yield* networks(3)
          const sites = yield* measuredSites(hosts, outside)
          const way = yield* cuttable(urlOf(yield* databases.fresh), outside)
          const urls = yield* Effect.forEach(
            all,
            ({ address, inside }) =>
              Effect.map(
                process(
                  way.url,
                  sites.port,
                  names,
                  [`--host=${address}`, "--open", `--advertise=${address}:${port}`, `--per-host=${perHost}`],
                  { inside, site: outside }
                ),
                ({ url }) => url
              ),
            { concurrency: 3 }
          )
          const ids = yield* Effect.forEach(names, (name, index) =>
            crawl(urls[index % 3] ?? "", name, { maxConcurrency: 3 })
          )
          yield* Effect.all(
            names.map((name) => sites.reached(name, 3)),
            { concurrency: "unbounded" }
          )
          const [one, other] = all
          if (one === undefined || other === undefined) return yield* Effect.die("there are no networks")
          yield* parted(one, other, Effect.sleep("15 seconds"))
          const read = yield* Effect.all(
            ids.map((id, index) => readToEnd(urls[index % 3] ?? "", id)),
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
