/**
 * Milliseconds of a clock that nobody sets: only distances between its times mean something. A machine whose clock is set back
 * an hour would otherwise wait that hour before its next request, and one whose clock is set forward would not wait at all.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

export const monotonicMillis = Effect.map(Clock.monotonicTimeNanos, (nanos) => ofNanos(nanos))

/** The same for who has the clock and is no effect. */
export const monotonicMillisOf = (clock: Clock.Clock): number => ofNanos(clock.monotonicTimeNanosUnsafe())

const ofNanos = (nanos: bigint): number => Number(nanos) / 1_000_000
