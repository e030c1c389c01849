/**
 * Pauses that hosts asked for, kept in the database: a host that goes to another process is left alone there too.
 *
 * Only what is left of a pause is read, by the clock of the database. The name of a host is hidden, because nothing of a page
 * with zero data retention may be kept.
 */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { Politeness } from "../../crawler/politeness/Politeness.ts"
import type { StoreError } from "../../crawler/StoreError.ts"
import type { Cluster } from "./Cluster.ts"

export interface KeptPauses {
  /** The turns of this process. A pause goes into the database too. */
  readonly politeness: Politeness["Service"]
  /** A host moves to this process: the rest of its pause goes on here. Waits while the database is away. */
  readonly resume: (host: string) => Effect.Effect<void, StoreError>
}

export const make = (
  politeness: Politeness["Service"],
  { sealed, store }: Pick<Cluster["Service"], "sealed" | "store">
): KeptPauses => ({
  politeness: {
    take: politeness.take,
    // If the database is away, the pause holds in this process only.
    pause: (host, millis) =>
      Effect.andThen(politeness.pause(host, millis), Effect.ignoreCause(store.pause(sealed.hide(host), millis)))
  },
  resume: (host) =>
    Effect.flatMap(Effect.retry(store.pausedMillis(sealed.hide(host)), again), (millis) =>
      millis > 0 ? politeness.pause(host, millis) : Effect.void
    )
})

const again = { while: ({ isRetryable }: StoreError) => isRetryable, schedule: Schedule.spaced("200 millis") }
