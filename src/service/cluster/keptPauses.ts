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
  /** The same turns; a pause is kept too. */
  readonly politeness: Politeness["Service"]
  /** A host comes to live here: the rest of its pause is kept here. It waits for a database that is away. */
  readonly resume: (host: string) => Effect.Effect<void, StoreError>
}

export const make = (
  politeness: Politeness["Service"],
  { sealed, store }: Pick<Cluster["Service"], "sealed" | "store">
): KeptPauses => ({
  politeness: {
    take: politeness.take,
    // A database that is away keeps no pause; the host is left alone here all the same.
    pause: (host, millis) =>
      Effect.andThen(politeness.pause(host, millis), Effect.ignoreCause(store.pause(sealed.hide(host), millis)))
  },
  resume: (host) =>
    Effect.flatMap(Effect.retry(store.pausedMillis(sealed.hide(host)), again), (millis) =>
      millis > 0 ? politeness.pause(host, millis) : Effect.void
    )
})

const again = { while: ({ isRetryable }: StoreError) => isRetryable, schedule: Schedule.spaced("200 millis") }
