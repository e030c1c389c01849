import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Metric from "effect/Metric"
import { expect } from "vitest"
import { longTurns, watchTurns } from "../../src/service/loopTurns.ts"

/** Holds the event loop. */
const hold = (millis: number) => {
  const end = performance.now() + millis
  while (performance.now() < end) Math.sqrt(end)
}

it.live("tells of a turn that takes long, once, and of no other", () =>
  Effect.gen(function* () {
    const heard = Promise.withResolvers<void>()
    const lines: Array<string> = []
    const logger = Logger.make(({ message }) => {
      lines.push(String(message))
      heard.resolve()
    })
    yield* Effect.gen(function* () {
      yield* watchTurns
      yield* Effect.promise(() => new Promise((done) => setTimeout(done, 50)))
      hold(600)
      yield* Effect.promise(() => heard.promise)
      const { count } = yield* Metric.value(longTurns)

      expect(count).toBe(lines.length)
      expect(lines.filter((line) => /^the event loop stood still for (?:5[5-9]|[6-9])\d+ ms/.test(line))).toHaveLength(
        1
      )
    }).pipe(Effect.scoped, Effect.provide(Logger.layer([logger])))
  })
)
