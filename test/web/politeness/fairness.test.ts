/**
 * The law of fairness, in virtual time: for each parameter of the contract that makes work long or many, team A has it at its
 * worst, and team B is served as if it were alone, but for its share.
 */
import { describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import * as FairPlaces from "#base/FairPlaces"
import { type Options, Politeness } from "#web/Politeness"

interface Worst {
  readonly parameter: string
  /** How many pages team A wants at once, and how long each takes, in milliseconds. */
  readonly pages: number
  readonly millis: number
  /** The queue at which its pages meet those of team B. */
  readonly at: "host" | "all hosts" | "host with a crawl delay" | "browser" | "threads"
}

const minute = 60_000

const table: ReadonlyArray<Worst> = [
  { parameter: "maxConcurrency", pages: 10_000, millis: 100, at: "host" },
  { parameter: "limit", pages: 10_000, millis: 2000, at: "host" },
  { parameter: "urls", pages: 10_000, millis: 2000, at: "all hosts" },
  { parameter: "timeout", pages: 200, millis: 5 * minute, at: "host" },
  { parameter: "timeout", pages: 200, millis: 5 * minute, at: "all hosts" },
  { parameter: "delay", pages: 200, millis: 100, at: "host with a crawl delay" },
  { parameter: "sitemap", pages: 1000, millis: 5 * minute, at: "host" },
  { parameter: "waitFor", pages: 200, millis: 5 * minute, at: "browser" },
  { parameter: "actions", pages: 200, millis: 5 * minute, at: "browser" },
  { parameter: "formats: screenshot", pages: 200, millis: minute, at: "browser" },
  { parameter: "parsers: pdf", pages: 200, millis: minute, at: "threads" },
  { parameter: "formats: json", pages: 200, millis: minute, at: "threads" }
]

const limits: Options = { perHost: 8, inFlight: 20 }

/** How one page passes the queue. */
const passing = Effect.fnUntraced(function* (at: Worst["at"]) {
  const { take } = yield* Politeness
  const places = FairPlaces.create(at === "browser" ? 4 : 2)
  let page = 0
  return (millis: number): Effect.Effect<void> => {
    const work = Effect.sleep(millis)
    switch (at) {
      case "host":
        return take("site.test", 0, work)
      case "all hosts":
        return take(`site-${page++ % 100}.test`, 0, work)
      case "host with a crawl delay":
        return take("site.test", 1000, work)
      case "browser":
      case "threads":
        return places.during(work)
    }
  }
})

/** The 99th of 100 times that a page of 100 ms of team B takes, one after another. */
const timeOfB = Effect.fnUntraced(function* ({ at, millis, pages }: Worst, beside: boolean) {
  const page = yield* passing(at)
  const of = (team: string) => Effect.provideService(FairPlaces.Sharer, team)
  if (beside)
    yield* Effect.forkChild(
      Effect.forEach(Array.from({ length: pages }), () => of("a")(page(millis)), { concurrency: "unbounded" })
    )
  yield* TestClock.adjust("1 second")
  const times: Array<number> = []
  yield* Effect.forkChild(
    Effect.forEach(Array.from({ length: 100 }), () =>
      Effect.gen(function* () {
        const began = yield* Clock.currentTimeMillis
        yield* of("b")(page(100))
        times.push((yield* Clock.currentTimeMillis) - began)
      })
    )
  )
  yield* TestClock.adjust("10 minutes")
  expect(times).toHaveLength(100)
  return times.toSorted((one, other) => one - other)[98] ?? 0
})

describe("fairness between teams", () => {
  for (const worst of table) {
    it.effect(`holds for ${worst.parameter} at its worst, at the ${worst.at}`, () =>
      Effect.gen(function* () {
        const once = (beside: boolean) => Effect.provide(timeOfB(worst, beside), Politeness.layer(limits))
        const alone = yield* once(false)

        expect(yield* once(true)).toBeLessThanOrEqual(Math.max(200, 2 * alone))
      })
    )
  }
})
