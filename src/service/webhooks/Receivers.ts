/**
 * The turns of webhooks at their receivers: a receiver is the host of a URL, for each team.
 *
 * A receiver has at most 16 batches in flight, which are sent one delivery at a time, so one that hangs keeps only its own waiting.
 * After some failures in a row it is left alone for a while, and then asked with one batch: when a delivery arrives, all go on. A
 * delivery that waits so has not been attempted.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as PartitionedSemaphore from "effect/PartitionedSemaphore"
import * as Semaphore from "effect/Semaphore"
import { monotonicMillis } from "../../crawler/politeness/monotonicMillis.ts"

export interface Receivers {
  /** Makes a batch of deliveries in its receiver's turn. */
  readonly inTurn: <A extends Attempt, E, R>(
    receiver: { readonly teamId: string; readonly url: string },
    attempt: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
}

export interface Attempt {
  /** Whether the receiver answered the last delivery; null: there was none to make. */
  readonly answered: boolean | null
}

/** Deliveries in flight: over all receivers, and to one. */
const maxInFlight = 256
export const maxForOne = 16

/** Failures in a row after which a receiver is left alone, and for how long, in milliseconds. */
const maxFailures = 5
const pauseMillis = 30_000

/** Receivers without deliveries whose failures are remembered. */
const maxKnown = 10_000

interface Receiver {
  readonly turns: Semaphore.Semaphore
  /** Open while the receiver answers. */
  readonly answers: Latch.Latch
  failures: number
  /** When it is asked again, where it does not answer (`monotonicMillis`). */
  askAt: number
  /** Deliveries in flight or waiting. */
  users: number
}

export const make = (): Receivers => {
  const all = PartitionedSemaphore.makeUnsafe<string>({ permits: maxInFlight })
  const receivers = new Map<string, Receiver>()

  const use = (key: string): Effect.Effect<Receiver> =>
    Effect.sync(() => {
      let receiver = receivers.get(key)
      if (receiver === undefined) {
        const turns = Semaphore.makeUnsafe(maxForOne)
        receiver = { turns, answers: Latch.makeUnsafe(true), failures: 0, askAt: 0, users: 0 }
        receivers.set(key, receiver)
      }
      receiver.users += 1
      return receiver
    })
  const leave = (key: string, receiver: Receiver) =>
    Effect.sync(() => {
      receiver.users -= 1
      if (receiver.users > 0) return
      if (receiver.failures === 0) receivers.delete(key)
      else if (receivers.size > maxKnown) {
        for (const [known, { users }] of receivers) if (users === 0) receivers.delete(known)
      }
    })

  /** Waits until the receiver answers, or until it is this delivery's turn to ask whether it does. */
  const untilAsked = (receiver: Receiver): Effect.Effect<void> =>
    Effect.gen(function* () {
      for (;;) {
        if (receiver.failures < maxFailures) return
        const now = yield* monotonicMillis
        if (now >= receiver.askAt) {
          // The others wait for what this one finds.
          receiver.askAt = now + pauseMillis
          return
        }
        yield* Effect.raceFirst(Effect.sleep(Duration.millis(receiver.askAt - now)), receiver.answers.await)
      }
    })

  const note = (receiver: Receiver, answered: boolean | null) =>
    Effect.gen(function* () {
      if (answered === null) {
        if (receiver.failures < maxFailures) return
        // Nobody has asked: another may.
        receiver.askAt = yield* monotonicMillis
        return yield* receiver.answers.release
      }
      if (answered) {
        receiver.failures = 0
        return yield* receiver.answers.open
      }
      receiver.failures += 1
      if (receiver.failures < maxFailures) return
      receiver.askAt = (yield* monotonicMillis) + pauseMillis
      receiver.answers.closeUnsafe()
    })

  return {
    inTurn: ({ teamId, url }, attempt) => {
      const key = `${teamId} ${URL.parse(url)?.host ?? url}`
      const turn = (receiver: Receiver) =>
        untilAsked(receiver).pipe(
          Effect.andThen(all.withPermit(key)(attempt)),
          Effect.tap(({ answered }) => note(receiver, answered))
        )
      return Effect.acquireUseRelease(
        use(key),
        (receiver) => receiver.turns.withPermits(1)(turn(receiver)),
        (receiver) => leave(key, receiver)
      )
    }
  }
}
