/**
 * One receiver of webhooks: its turns, and whether it answers.
 *
 * It has at most 16 batches in flight. After some failures in a row it is left alone for a while, then one batch tries it:
 * if a delivery succeeds, all continue. Deliveries that wait meanwhile do not count as attempted. One that answers 429 with
 * Retry-After is left alone at once, for as long as it says.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Metric from "effect/Metric"
import * as Semaphore from "effect/Semaphore"
import { monotonicMillis } from "#web/monotonicMillis"

/**
 * Reports, during the turn, whether the receiver answered the last delivery; null: no delivery was due; a number: it wants to
 * be left alone for so many milliseconds.
 */
export type Answered = boolean | number | null

export interface Receiver {
  /** Runs a batch when it is its turn. */
  readonly inTurn: <A, E, R>(batch: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  readonly answered: (answered: Answered) => Effect.Effect<void>
  /** Whether it has failures to remember when nothing waits for it. */
  readonly hasFailed: () => boolean
  /** Forgets its failures. */
  readonly forget: Effect.Effect<void>
}

export interface Options {
  /** How long a receiver is left alone, in milliseconds. */
  readonly pauseMillis: number
}

export const defaults: Options = { pauseMillis: 30_000 }

/** The maximum number of batches in flight to one receiver. */
export const maxInFlight = 16

export const leftAlone = Metric.gauge("millrace_service_receivers_left_alone", {
  description: "receivers of webhooks that do not answer, and are left alone, of those whose turns this process gives"
})

/** The number of failures in a row after which a receiver is left alone. */
const maxFailures = 5

export const create = ({ pauseMillis }: Options): Receiver => {
  const turns = Semaphore.makeUnsafe(maxInFlight)
  /** Open while the receiver answers. */
  const answers = Latch.makeUnsafe(true)
  let failures = 0
  /** When the next batch tries a receiver that does not answer (`monotonicMillis`). */
  let askAt = 0

  /** Waits until the receiver answers, or until this batch may try it. */
  const untilAsked: Effect.Effect<void> = Effect.gen(function* () {
    for (;;) {
      if (failures < maxFailures) return
      const now = yield* monotonicMillis
      if (now >= askAt) {
        // The other batches wait for the result of this one.
        askAt = now + pauseMillis
        return
      }
      yield* Effect.raceFirst(Effect.sleep(Duration.millis(askAt - now)), answers.await)
    }
  })

  const answered = Effect.fnUntraced(function* (answered: Answered) {
    if (answered === null) {
      if (failures < maxFailures) return
      // This batch tried nothing: another may.
      askAt = yield* monotonicMillis
      yield* answers.release
    } else if (answered === true) {
      yield* forget
      yield* answers.open
    } else {
      const isLater = typeof answered === "number"
      failures = isLater ? Math.max(maxFailures, failures) : failures + 1
      if (failures < maxFailures) return
      askAt = (yield* monotonicMillis) + (isLater ? answered : pauseMillis)
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
