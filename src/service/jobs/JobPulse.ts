/**
 * Notifies listeners of the jobs that run in this process: one beat after the end of each page, and one after the job's.
 *
 * A listener that starts before it reads the store misses nothing. A job that does not run in this process never beats.
 */
import * as Effect from "effect/Effect"
import * as PubSub from "effect/PubSub"

export const create = () => {
  const pulses = new Map<string, PubSub.PubSub<void>>()

  const start = (id: string) => Effect.map(PubSub.sliding<void>(1), (pulse) => void pulses.set(id, pulse))
  const beat = (id: string) =>
    Effect.suspend(() => {
      const pulse = pulses.get(id)
      return pulse === undefined ? Effect.void : Effect.asVoid(PubSub.publish(pulse, undefined))
    })
  /** Sends the last beat of a run. */
  const stop = (id: string) =>
    Effect.andThen(
      beat(id),
      Effect.sync(() => void pulses.delete(id))
    )
  /**
   * Listens until the scope closes. `next` waits for the next beat. `isOfRun`: whether the run of this listener still
   * continues here; beats of other runs of the job are not heard.
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
