/**
 * One receiver of webhooks: its turns, and whether it answers.
 *
 * It has at most 16 batches in flight. After some failures in a row it is left alone for a while, and then asked with one batch:
 * when a delivery arrives, all go on. A delivery that waits so has not been attempted.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Metric from "effect/Metric"
import * as Semaphore from "effect/Semaphore"
import { monotonicMillis } from "../../crawler/politeness/monotonicMillis.ts"

export interface Receiver {
  /** Sends a batch in its turn. */
  readonly inTurn: <A, E, R>(batch: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Notes, while the turn lasts, whether the receiver answered the last delivery; null: there was none to make. */
  readonly answered: (answered: boolean | null) => Effect.Effect<void>
  /** Whether it is to be remembered when nothing waits for it. */
  readonly hasFailed: () => boolean
  /** It is not remembered any more. */
  readonly forget: Effect.Effect<void>
}

export interface Options {
  /** How long a receiver is left alone, in milliseconds. */
  readonly pauseMillis: number
}

export const defaults: Options = { pauseMillis: 30_000 }

/** Batches in flight to one receiver. */
export const maxInFlight = 16

export const leftAlone = Metric.gauge("millrace_service_receivers_left_alone", {
  description: "receivers of webhooks that do not answer, and are left alone, of those whose turns this process gives"
})

/** Failures in a row after which a receiver is left alone. */
const maxFailures = 5

export const make = ({ pauseMillis }: Options): Receiver => {
  const turns = Semaphore.makeUnsafe(maxInFlight)
  /** Open while the receiver answers. */
  const answers = Latch.makeUnsafe(true)
  let failures = 0
  /** When it is asked again, where it does not answer (`monotonicMillis`). */
  let askAt = 0

  /** Waits until the receiver answers, or until it is this batch's turn to ask whether it does. */
  const untilAsked: Effect.Effect<void> = Effect.gen(function* () {
    for (;;) {
      if (failures < maxFailures) return
      const now = yield* monotonicMillis
      if (now >= askAt) {
        // The others wait for what this one finds.
        askAt = now + pauseMillis
        return
      }
      yield* Effect.raceFirst(Effect.sleep(Duration.millis(askAt - now)), answers.await)
    }
  })

  const answered = Effect.fnUntraced(function* (answered: boolean | null) {
    if (answered === null) {
      if (failures < maxFailures) return
      // Nobody has asked: another may.
      askAt = yield* monotonicMillis
      yield* answers.release
    } else if (answered) {
      yield* forget
      yield* answers.open
    } else {
      failures += 1
      if (failures < maxFailures) return
      askAt = (yield* monotonicMillis) + pauseMillis
      if (answers.closeUnsafe()) yield* Metric.modify(leftAlone, 1)
    }
  })

  const forget = Effect.suspend(() => {
    const wasLeftAlone = failures >= maxFailures
    failures = 0
    return wasLeftAlone ? Metric.modify(leftAlone, -1) : Effect.void
  })

  return {
    inTurn: (batch) => turns.withPermits(1)(Effect.andThen(untilAsked, batch)),
    answered,
    hasFailed: () => failures > 0,
    forget
  }
}
