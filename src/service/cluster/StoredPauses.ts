/**
 * Pauses that hosts ask for, in the database: a host that moves to another process is left alone there too.
 *
 * Only the rest of a pause is read, by the clock of the database. The names of hosts are hidden, because nothing of a page
 * with zero data retention may be stored.
 */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { Politeness } from "#web/Politeness"
import type { StoreError } from "#web/StoreError"
import type { Cluster } from "./Cluster.ts"

export interface StoredPauses {
  /** The turns of this process. Pauses are stored in the database too. */
  readonly politeness: Politeness["Service"]
  /** Continues the pause of a host that has moved to this process. Waits while the database cannot be reached. */
  readonly resume: (host: string) => Effect.Effect<void, StoreError>
}

export const over = (
  politeness: Politeness["Service"],
  { sealed, store }: Pick<Cluster["Service"], "sealed" | "store">
): StoredPauses => ({
  politeness: {
    take: politeness.take,
    // If the database cannot be reached, the pause holds in this process only.
    pause: (host, millis) =>
      Effect.andThen(politeness.pause(host, millis), Effect.ignoreCause(store.pause(sealed.hide(host), millis)))
  },
  resume: (host) =>
    Effect.flatMap(Effect.retry(store.pausedMillis(sealed.hide(host)), again), (millis) =>
      millis > 0 ? politeness.pause(host, millis) : Effect.void
    )
})

const again = { while: ({ isRetryable }: StoreError) => isRetryable, schedule: Schedule.spaced("200 millis") }
