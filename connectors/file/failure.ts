/** The errors of this connector's sink: what it was doing, and the message of the system. */
import * as Effect from "effect/Effect"
import { systemReason } from "#base/systemReason"
import * as Sink from "#engine/Sink"

/** Makes a `SinkError` with what was being done. An error that is one already stays as it is. */
export const failure =
  (doing: string) =>
  (cause?: unknown): Sink.SinkError =>
    cause instanceof Sink.SinkError
      ? cause
      : new Sink.SinkError({
          sink: "file",
          message: cause === undefined ? doing : `${doing}: ${systemReason(cause)}`,
          retryable: false,
          ...(cause === undefined ? {} : { cause })
        })

/** The error if another writer uses the folder now. */
export const busy = (message: string): Sink.SinkError => new Sink.SinkError({ sink: "file", message, retryable: true })

/** File calls cannot be stopped half-way, so an interruption waits for them. */
export const attempt = <A>(doing: string, run: () => Promise<A>): Effect.Effect<A, Sink.SinkError> =>
  Effect.uninterruptible(Effect.tryPromise({ try: run, catch: failure(doing) }))
