import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Metric from "effect/Metric"
import { expect } from "vitest"
import { watchTurns } from "#service/loopTurns"

/** More than a machine that others use is likely to stand still by itself. */
const heldMillis = 3000
/** A turn is told by what is left of it when the timer is due. */
const timerMillis = 50

/** How many long turns the process has counted. */
const longTurns = Effect.map(Metric.snapshot, (metrics) =>
  metrics.reduce(
    (sum, metric) =>
      metric.id === "millrace_event_loop_long_turn_milliseconds" && metric.type === "Histogram"
        ? sum + metric.state.count
        : sum,
    0
  )
)

/** Holds the event loop. */
const hold = (millis: number) => {
  const end = performance.now() + millis
  while (performance.now() < end) Math.sqrt(end)
}

it.live("tells of a turn that takes long, once, with how long it took", () =>
  Effect.gen(function* () {
    const heard = Promise.withResolvers<void>()
    const lines: Array<string> = []
    const logger = Logger.make(({ message }) => {
      lines.push(String(message))
      if (/ [3-9]\d{3} ms| 29\d\d ms/.test(String(message))) heard.resolve()
    })
    yield* Effect.gen(function* () {
      // The metric is the process's: files before this one have counted too.
      const before = yield* longTurns
      yield* watchTurns
      yield* Effect.promise(() => new Promise((done) => setTimeout(done, 50)))
      hold(heldMillis)
      yield* Effect.promise(() => heard.promise)
      const count = yield* longTurns

      expect(count - before).toBe(lines.length)
      // A busy machine pauses the process by itself. Each such pause is reported too.
      const told = lines.map((line) => Number(/^the event loop stood still for (\d+) ms/.exec(line)?.[1]))
      expect(told.filter((millis) => millis >= heldMillis - timerMillis)).toHaveLength(1)
      expect(told.every((millis) => millis > 200)).toBe(true)
    }).pipe(Effect.scoped, Effect.provide(Logger.layer([logger])))
  })
)
