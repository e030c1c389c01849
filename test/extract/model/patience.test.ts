import { describe, it } from "@effect/vitest"
import * as AiError from "effect/ai/AiError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { isWorthwhile, patience } from "#extract/modelAnswerOf"

const failure = (reason: AiError.AiErrorReason) => AiError.make({ module: "test", method: "chat", reason })
const busy = (retryAfter?: Duration.Duration) => failure(new AiError.RateLimitError({ retryAfter }))
const broken = failure(AiError.reasonFromHttpStatus({ status: 500 }))

/** When a model that always fails is asked, in milliseconds. */
const timesOf = (error: AiError.AiError) =>
  Effect.gen(function* () {
    const times: Array<number> = []
    const began = yield* Clock.currentTimeMillis
    const asking = Effect.gen(function* () {
      times.push((yield* Clock.currentTimeMillis) - began)
      return yield* Effect.fail(error)
    }).pipe(Effect.retry({ while: isWorthwhile, schedule: patience, times: 3 }), Effect.exit)
    const fiber = yield* Effect.forkChild(asking)
    yield* TestClock.adjust("5 minutes")
    yield* Fiber.join(fiber)
    return times
  })

describe("the patience with a model", () => {
  it.effect("waits as long as the endpoint says, and no shorter", () =>
    Effect.gen(function* () {
      expect(yield* timesOf(busy(Duration.seconds(7)))).toEqual([0, 7000, 14_000, 21_000])
    })
  )

  it.effect("waits about twice as long each time where the endpoint says nothing", () =>
    Effect.gen(function* () {
      const [, ...times] = yield* timesOf(broken)
      const waits = times.map((at, index) => at - (times[index - 1] ?? 0))

      expect(waits).toHaveLength(3)
      for (const [index, wait] of waits.entries()) {
        expect(wait).toBeGreaterThanOrEqual(500 * 2 ** index * 0.8 - 1)
        expect(wait).toBeLessThanOrEqual(500 * 2 ** index * 1.2 + 1)
      }
    })
  )

  it.effect("asks once where asking again does not help, or not soon enough", () =>
    Effect.gen(function* () {
      const unreadable = failure(new AiError.InvalidOutputError({ description: "no JSON" }))
      const hopeless = [
        busy(Duration.seconds(31)),
        unreadable,
        ...[400, 401, 403, 404].map((status) => failure(AiError.reasonFromHttpStatus({ status })))
      ]

      expect(yield* Effect.forEach(hopeless, timesOf)).toEqual(hopeless.map(() => [0]))
    })
  )
})
