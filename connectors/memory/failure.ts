/** The errors of this connector. */
import * as Effect from "effect/Effect"
import * as Sink from "#engine/Sink"

const error = (message: string) => new Sink.SinkError({ sink: "memory", message, retryable: false })

export const failure = (message: string): Effect.Effect<never, Sink.SinkError> => Effect.fail(error(message))

/** Runs a function that may throw; the error has its message. */
export const attempt = <A>(run: () => A): Effect.Effect<A, Sink.SinkError> =>
  Effect.try({ try: run, catch: (cause) => error(cause instanceof Error ? cause.message : String(cause)) })
