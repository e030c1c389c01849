import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as TestClock from "effect/testing/TestClock"
import * as receiveRuns from "#app/receive/receiveRuns"
import { type Outcome, without } from "#engine/ScheduleRunner"

const done: Outcome = { status: "done", run_id: "r", rows: {}, changed: null, message: null }

/** Runs that end as they are told, and when each of them began. */
const working = Effect.fnUntraced(function* (isLeft: boolean, ...ends: ReadonlyArray<Outcome["status"]>) {
  const began: Array<number> = []
  const may = yield* Latch.make(true)
  const run = Effect.gen(function* () {
    began.push(yield* Clock.currentTimeMillis)
    yield* may.await
    const status = ends[began.length - 1] ?? "done"
    return status === "done" ? done : without(status, "no luck")
  })
  const { came, work } = yield* receiveRuns.prepare({ name: "mill", gatherMillis: 5000, run })
  yield* Effect.forkScoped(work(isLeft), { startImmediately: true })
  return { began, came, may }
})

describe("the runs of a receiver", () => {
  it.effect("begin a while after an event, and with all that came meanwhile", () =>
    Effect.gen(function* () {
      const { began, came } = yield* working(false)
      yield* TestClock.adjust(1000)
      yield* came("monitor.page")
      yield* TestClock.adjust(4000)
      yield* came("monitor.page")
      yield* TestClock.adjust(60_000)

      expect(began).toEqual([6000])
    })
  )

  it.effect("begin at once when the end of a check came", () =>
    Effect.gen(function* () {
      const { began, came } = yield* working(false)
      yield* came("monitor.page")
      yield* TestClock.adjust(100)
      yield* came("monitor.check.completed")
      yield* TestClock.adjust(60_000)

      expect(began).toEqual([100])
    })
  )

  it.effect("begin at once where something is left, and not again for it", () =>
    Effect.gen(function* () {
      const { began } = yield* working(true)
      yield* TestClock.adjust(60_000)

      expect(began).toEqual([0])
    })
  )

  it.effect("are one at a time: what comes while one is under way is for the one after it", () =>
    Effect.gen(function* () {
      const { began, came, may } = yield* working(true)
      yield* may.close
      yield* came("monitor.check.completed")
      yield* TestClock.adjust(0)
      yield* came("monitor.check.completed")
      yield* TestClock.adjust(10_000)
      const whileUnderWay = [...began]
      yield* may.open
      yield* TestClock.adjust(10_000)

      expect(whileUnderWay).toEqual([0, 0])
      expect(began).toEqual([0, 0, 10_000])
    })
  )

  it.effect("are tried again where they failed, later each time; one that waits for people is not", () =>
    Effect.gen(function* () {
      const failing = yield* working(true, "failed", "busy", "blocked")
      const held = yield* working(true, "held")
      yield* TestClock.adjust(600_000)

      expect(failing.began).toEqual([0, 5000, 15_000, 35_000])
      expect(held.began).toEqual([0])
    })
  )
})
