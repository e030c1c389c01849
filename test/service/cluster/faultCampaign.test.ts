/**
 * Three real processes, many hosts, and faults that are chosen anew in each run: the seed is printed, and `MILLRACE_SEED`
 * repeats it. Whatever dies, stops or is cut off, every page has one end, and every site is asked as politely as by one process.
 */
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { expect } from "vitest"
import { soaking } from "../../thoroughness.ts"
import { onPostgres } from "../databases.ts"
import { cuttable } from "./cuttable.ts"
import { type Host, measuredSites } from "./measuredSite.ts"
import { crawl, type Process, process, readToEnd, urlOf } from "./serveProcess.ts"

/**
 * Every commit: a few hosts and faults, beside other tests. A soak: what the guarantee is claimed for, on a machine that does
 * nothing else: there nobody loses a lock without a fault.
 */
const size = soaking
  ? { hosts: 40, pages: 50, faults: 6, seeds: 20, again: 1, lateMillis: 0 }
  : { hosts: 6, pages: 16, faults: 2, seeds: 1, again: 4, lateMillis: 200 }
const perHost = 2
const faults = ["kill", "stop", "outage", "cut"] as const

const hostsOf = (count: number): ReadonlyArray<Host> =>
  Array.from({ length: count }, (_, index) => ({
    name: `c${index}.test`,
    pages: size.pages,
    delaySeconds: index % 4 === 0 ? 1 : 0,
    millis: 300 + (index % 5) * 200
  }))

const first = Number(globalThis.process.env["MILLRACE_SEED"] ?? Math.floor(Math.random() * 1_000_000_000))

onPostgres(
  "three processes under faults",
  (databases) => {
    for (let at = 0; at < size.seeds; at++) {
      const seed = first + at
      it.live(
        `lose no page and keep every distance, seed ${seed}`,
        () =>
          Effect.gen(function* () {
            const hosts = hostsOf(size.hosts)
            const names = hosts.map(({ name }) => name)
            const sites = yield* measuredSites(hosts)
            const database = urlOf(yield* databases.fresh)
            const serve = Effect.gen(function* () {
              const way = yield* cuttable(database)
              return { way, process: yield* process(way.url, sites.port, names, [`--per-host=${perHost}`]) }
            })
            const slots = yield* Effect.all([serve, serve, serve], { concurrency: 3 })
            const ids = yield* Effect.forEach(names, (name, index) =>
              crawl(slots[index % 3]?.process.url ?? "", name, { maxConcurrency: 3 })
            )
            const said: Array<string> = []
            for (let fault = 0; fault < size.faults; fault++) {
              yield* Effect.sleep(yield* Random.nextIntBetween(500, 3000))
              const what = faults[yield* Random.nextIntBetween(0, faults.length - 1)] ?? "kill"
              const which = yield* Random.nextIntBetween(0, 2)
              const slot = slots[which]
              if (slot === undefined) continue
              said.push(`${what} ${which}`)
              yield* does(what, slot, slots)
              if (what === "kill") slots[which] = yield* serve
            }
            const reader = slots[0]?.process.url ?? ""
            const read = yield* Effect.all(
              ids.map((id) => readToEnd(reader, id)),
              { concurrency: "unbounded" }
            )
            const again = names.reduce((sum, name) => sum + sites.of(name).asked.length - size.pages, 0)
            const gaps = hosts.filter(({ delaySeconds }) => delaySeconds > 0).map(({ name }) => sites.smallestGap(name))
            const failed = read.flatMap(({ errors }) => errors.map(({ code, error }) => `${code} (${error})`))
            console.log(
              `seed ${seed}: ${said.join(", ")}; fetched again ${again}, failed ${failed.length} ${failed.join(", ")}; ` +
                `smallest gap ${Math.round(Math.min(...gaps))} ms of 1000, most in flight ${Math.max(...names.map((name) => sites.of(name).peak))} of ${perHost}`
            )

            for (const [index, { error, ledger, status, titles }] of read.entries()) {
              expect({ index, status, error }).toEqual({ index, status: "completed", error: undefined })
              expect(ledger.discovered).toBe(size.pages)
              expect(ledger.scraped + ledger.failed + ledger.blocked).toBe(ledger.discovered)
              expect(new Set(titles).size).toBe(titles.length)
              expect(titles.length).toBe(ledger.scraped)
            }
            for (const { delaySeconds, name } of hosts) {
              expect(sites.of(name).asked.length).toBeLessThanOrEqual(size.pages + size.again * size.faults * perHost)
              expect(sites.of(name).peak).toBeLessThanOrEqual(perHost)
              if (delaySeconds > 0)
                expect(sites.smallestGap(name)).toBeGreaterThanOrEqual(delaySeconds * 1000 - size.lateMillis)
            }
          }).pipe(Random.withSeed(seed)),
        soaking ? 900_000 : 300_000
      )
    }
  },
  { campaign: true }
)

interface Slot {
  readonly way: Effect.Success<ReturnType<typeof cuttable>>
  readonly process: Process
}

const does = (what: (typeof faults)[number], slot: Slot, all: ReadonlyArray<Slot>): Effect.Effect<void> => {
  switch (what) {
    case "kill":
      return slot.process.signal("SIGKILL")
    // Longer than its locks last: it goes on as one that has lost its hosts without knowing.
    case "stop":
      return slot.process
        .signal("SIGSTOP")
        .pipe(Effect.andThen(Effect.sleep("9 seconds")), Effect.andThen(slot.process.signal("SIGCONT")))
    case "outage":
      return all.reduce((meanwhile: Effect.Effect<void>, { way }) => way.cut(meanwhile), Effect.sleep("3 seconds"))
    case "cut":
      return slot.way.cut(Effect.sleep("9 seconds"))
  }
}
