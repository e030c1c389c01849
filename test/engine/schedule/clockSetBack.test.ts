import { expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Notifier } from "#engine/ScheduleNotifier"
import { Runner } from "#engine/ScheduleRunner"
import * as Scheduler from "#engine/Scheduler"
import * as ScheduleStore from "#engine/ScheduleStore"
import { at, outcome, stamp, task } from "./simulated.ts"

/** A clock that shows the next of these moments after each wait. */
const clockOf = (moments: ReadonlyArray<string>): Clock.Clock => {
  const [first = 0, ...later] = moments.map(at)
  let now = first
  const millis = () => now
  const nanos = () => BigInt(now) * 1_000_000n
  const sleep = () =>
    Effect.suspend(() => {
      const next = later.shift()
      if (next === undefined) return Effect.never
      now = next
      return Effect.void
    })
  return {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep
  }
}

it.effect("a scheduler whose clock was ahead for a moment runs what is due by the clock that was set right", () => {
  const ran: Array<string> = []
  const runner = Runner.of({
    run: (_, due) => Effect.sync(() => void ran.push(stamp(due))).pipe(Effect.as(outcome("done"))),
    ended: () => Effect.succeed(undefined)
  })
  const clock = clockOf(["2026-11-27 12:00", "2030-01-01 02:00", "2026-11-27 12:01", "2026-11-28 02:00"])
  return Effect.gen(function* () {
    const made = yield* Scheduler.create({ maxRuns: 1, latenessMillis: 60_000, tell: () => Effect.void })
    yield* made.set([task("a", "0 2 * * *", { catch_up: "none" })])
    yield* Effect.forkScoped(made.work)
    for (let turn = 0; turn < 500 && ran.length < 2; turn++) yield* Effect.yieldNow
    expect(ran).toEqual(["01-01 02:00", "11-28 02:00"])
  }).pipe(
    Effect.provide(
      Layer.mergeAll(
        Layer.orDie(ScheduleStore.layer(":memory:")),
        Layer.succeed(Runner, runner),
        Layer.succeed(Notifier, Notifier.of({ send: () => Effect.void }))
      )
    ),
    Effect.scoped,
    Effect.provideService(Clock.Clock, clock)
  )
})
