/**
 * Whether this process has stood still: it was stopped, its machine slept, or its event loop was busy for seconds.
 *
 * A process that stood still may have lost its hosts to others without knowing. So it sends no requests for a moment after
 * it continues, until it has checked its locks in the database. Time is monotonic: setting the clock changes nothing.
 */
import * as Effect from "effect/Effect"

export interface Standstill {
  /** Whether a standstill ended only a moment ago. */
  readonly isRecent: () => boolean
}

/** Watches until the scope closes. */
export const watch = Effect.map(
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
