/**
 * The pulses of the jobs that run in this process: one beat after each page's end, and one after the job's.
 *
 * A listener that starts before it looks at the store misses nothing; a job that does not run in this process never
 * beats.
 */
import * as Effect from "effect/Effect"
import * as PubSub from "effect/PubSub"

export const make = () => {
  const pulses = new Map<string, PubSub.PubSub<void>>()

  const start = (id: string) => Effect.map(PubSub.sliding<void>(1), (pulse) => void pulses.set(id, pulse))
  const beat = (id: string) =>
    Effect.suspend(() => {
      const pulse = pulses.get(id)
      return pulse === undefined ? Effect.void : Effect.asVoid(PubSub.publish(pulse, undefined))
    })
  /** The last beat. */
  const stop = (id: string) =>
    Effect.andThen(
      beat(id),
      Effect.sync(() => void pulses.delete(id))
    )
  /**
   * Listens until the scope closes; `next` waits for the next beat. A listener that does not wait is not kept. `isOfRun`:
   * whether the run that is listened to goes on here; another run of the job, before or after it, is not heard.
   */
  const listen = (id: string) =>
    Effect.suspend(() => {
      const pulse = pulses.get(id)
      const heard = pulse === undefined ? PubSub.sliding<void>(1) : Effect.succeed(pulse)
      return Effect.map(Effect.flatMap(heard, PubSub.subscribe), (subscription) => ({
        next: PubSub.take(subscription),
        isOfRun: () => pulse !== undefined && pulses.get(id) === pulse
      }))
    })
  return { start, beat, stop, listen }
}
