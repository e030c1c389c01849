/**
 * This process as a member of the processes that serve one Postgres together.
 *
 * Effect Cluster decides which process holds which host: by locks of the database, which are released when their process
 * ends. Messages between processes go over TCP and are not stored. Guarantee: the truth is in the ledger of the database. If
 * two processes believed that they hold a host, its requests would come too fast, but no page would be lost or counted twice.
 *
 * This file loads nothing of Effect Cluster: `joinCluster.ts` does.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as ClusterStore from "./ClusterStore.ts"
import type * as HostRegistry from "./HostRegistry.ts"
import type * as SealedBytes from "./sealedBytes.ts"

export class Cluster extends Context.Service<
  Cluster,
  {
    /** `HOST:PORT`, at which other processes reach this one. */
    readonly address: string
    readonly store: ClusterStore.ClusterStore
    readonly sealed: SealedBytes.SealedBytes
    readonly registry: HostRegistry.HostRegistry
    readonly standstill: Standstill
  }
>()("millrace/service/Cluster") {}

/**
 * Whether this process has stood still: it was stopped, its machine slept, or its event loop was busy for seconds.
 *
 * A process that stood still may have lost its hosts to others without knowing. So it sends no requests for a moment after
 * it continues, until it has checked its locks in the database. Time is monotonic: setting the clock changes nothing.
 */
export interface Standstill {
  /** Whether a standstill ended only a moment ago. */
  readonly isRecent: () => boolean
}

/** Watches until the scope closes. */
export const watchStandstill = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const state = { last: performance.now(), until: 0 }
      const timer = setInterval(() => void look(state), everyMillis)
      timer.unref()
      return { state, timer }
    }),
    ({ timer }) => Effect.sync(() => clearInterval(timer))
  ),
  ({ state }): Standstill => ({ isRecent: () => look(state) })
)

/** Each caller checks too: after a standstill, other work may run before the timer does. */
const look = (state: { last: number; until: number }, now = performance.now()): boolean => {
  if (now - state.last > longMillis) state.until = now + restMillis
  state.last = now
  return now < state.until
}

const everyMillis = 250

/** A longer gap is a standstill. It is well below the time after which others get the locks of a silent process. */
const longMillis = 2500

/** How long after it was allowed a request may be sent: even after a standstill, no other process has its host yet. */
export const sendMillis = 3500

/** How long nothing is sent after a standstill: the process checks its locks at least once in this time. */
const restMillis = 3000
