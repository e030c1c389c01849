/**
 * The delay that a job asks for: from the end of one of its pages to the start of its next of the same host.
 *
 * Guarantee: it binds this job alone. The job waits by itself, and meanwhile holds nothing that others wait for: no turn of a
 * host, and no place of a team. What the site asks for binds all, and is kept by `Politeness`.
 */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { monotonicMillis } from "../monotonicMillis.ts"

export const ownPace = (delayMillis: number) => {
  const hosts = new Map<string, { readonly turn: Semaphore.Semaphore; next: number }>()

  const take = Effect.fnUntraced(function* <A, E, R>(name: string, work: Effect.Effect<A, E, R>) {
    const host = hosts.get(name) ?? { turn: Semaphore.makeUnsafe(1), next: 0 }
    hosts.set(name, host)
    const paced = Effect.gen(function* () {
      const left = host.next - (yield* monotonicMillis)
      if (left > 0) yield* Effect.sleep(left)
      return yield* work
    })
    const ended = Effect.map(monotonicMillis, (now) => {
      host.next = now + delayMillis
    })
    return yield* host.turn.withPermits(1)(Effect.ensuring(paced, ended))
  })

  /** Does the work when the job may ask the host again. */
  return <A, E, R>(host: string, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    delayMillis > 0 ? take(host, work) : work
}
