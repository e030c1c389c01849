/**
 * Milliseconds of a clock that nobody sets: only differences between its times have a meaning. With the wall clock,
 * setting it back an hour would delay the next request by an hour, and setting it forward would skip the wait.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

export const monotonicMillis = Effect.map(Clock.monotonicTimeNanos, (nanos) => ofNanos(nanos))

/** The same outside an effect, by a given clock. */
export const monotonicMillisOf = (clock: Clock.Clock): number => ofNanos(clock.monotonicTimeNanosUnsafe())

const ofNanos = (nanos: bigint): number => Number(nanos) / 1_000_000
