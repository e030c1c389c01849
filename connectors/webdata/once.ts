/** Runs an effect until it has succeeded once, and then returns its value. */
import * as Effect from "effect/Effect"

/** Caches the value of an effect. Two callers at once may both run it; the result is the same. */
export const once = <A, E>(make: Effect.Effect<A, E>): Effect.Effect<A, E> => {
  let made: { readonly value: A } | undefined
  return Effect.suspend(() =>
    made !== undefined
      ? Effect.succeed(made.value)
      : Effect.map(make, (value) => {
          made = { value }
          return value
        })
  )
}
