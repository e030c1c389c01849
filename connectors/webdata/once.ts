/** An effect that is run until it has given something, and gives that from then on. */
import * as Effect from "effect/Effect"

/** Keeps what an effect gave. Two who ask at once may each have it made: it is the same. */
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
