/**
 * Whether this process has stood still: it was stopped, its machine slept, or its event loop was busy for seconds.
 *
 * A process that stood still may have lost its hosts to others without knowing. So for a moment after it goes on it sends no
 * request to any host, until the locks of the database have told it what it still holds. Time is monotonic: a clock that is
 * set changes nothing.
 */
import * as Effect from "effect/Effect"

export interface Standstill {
  /** Whether it went on only just now. */
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

/** Looks by itself too: after a standstill, what is due may run before the timer does. */
const look = (state: { last: number; until: number }, now = performance.now()): boolean => {
  if (now - state.last > longMillis) state.until = now + restMillis
  state.last = now
  return now < state.until
}

const everyMillis = 250

/** Well before the database gives the locks of a silent process to others. */
const longMillis = 2500

/** So long after it was allowed a request may be sent: even if the process stood still since, nobody else has its host. */
export const sendMillis = 3500

/** In this time the process has asked the database at least once what it holds. */
const restMillis = 3000
