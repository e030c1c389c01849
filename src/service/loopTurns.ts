/**
 * Reports long turns of the event loop, in the log and in a metric, because no caller is answered meanwhile.
 *
 * A timer that is due every 20 ms finds them: it is late by the length of the turn before it.
 */
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

/** Longer turns are reported: how long one caller may make another wait. */
const longMillis = 200

const everyMillis = 20

/** The lengths of long turns, in milliseconds. */
const longTurns = Metric.histogram("millrace_event_loop_long_turn_milliseconds", {
  description: `turns of the event loop of more than ${longMillis} ms`,
  boundaries: [200, 500, 1000, 2000, 5000, 10_000, 30_000]
})

/** Watches until the scope closes. */
export const watchTurns = Effect.gen(function* () {
  const context = yield* Effect.context()
  const run = Effect.runForkWith(context)
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      let due = performance.now() + everyMillis
      const timer = setInterval(() => {
        const now = performance.now()
        const millis = Math.round(now - due)
        due = now + everyMillis
        if (millis > longMillis) run(report(millis))
      }, everyMillis)
      return timer.unref()
    }),
    (timer) => Effect.sync(() => clearInterval(timer))
  )
})

const report = (millis: number) =>
  Effect.andThen(
    Metric.update(longTurns, millis),
    Effect.logWarning(`the event loop stood still for ${millis} ms: nobody was answered meanwhile`)
  )
