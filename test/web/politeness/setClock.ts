/** A clock that somebody sets while it runs. */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** The clock, whose wall shows `shift` milliseconds more once it is set; its monotonic time goes on as before. */
export const setClock = (clock: Clock.Clock, shift: number) => {
  let isSet = false
  const now = () => clock.currentTimeMillisUnsafe() + (isSet ? shift : 0)
  const shown: Clock.Clock = { ...clock, currentTimeMillisUnsafe: now, currentTimeMillis: Effect.sync(now) }
  return {
    shown,
    set: () => {
      isSet = true
    }
  }
}
