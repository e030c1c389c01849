/**
 * Turns of the event loop that take long: each is a line of the log and counts in a metric, because no caller is answered
 * meanwhile.
 *
 * A timer that is due every 20 ms tells them: it comes late by what the turn before it has taken.
 */
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

/** From how many milliseconds on a turn is reported: what one caller may cost another. */
export const longMillis = 200

const everyMillis = 20

/** How long they took, in milliseconds. */
export const longTurns = Metric.histogram("millrace_event_loop_long_turn_milliseconds", {
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
        if (millis > longMillis) run(told(millis))
      }, everyMillis)
      return timer.unref()
    }),
    (timer) => Effect.sync(() => clearInterval(timer))
  )
})

const told = (millis: number) =>
  Effect.andThen(
    Metric.update(longTurns, millis),
    Effect.logWarning(`the event loop stood still for ${millis} ms: nobody was answered meanwhile`)
  )
