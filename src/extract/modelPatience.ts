/**
 * When a model is asked once more, and after how long.
 */
import type * as AiError from "effect/ai/AiError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"

/** A limit that takes longer than this to pass is a model that cannot be asked. */
const longestWait = Duration.seconds(30)

/** An answer that cannot be read is asked for again with words, not by itself. */
export const isWorthwhile = (error: AiError.AiError): boolean =>
  error.reason._tag !== "InvalidOutputError" &&
  error.isRetryable &&
  (error.retryAfter === undefined || Duration.isLessThanOrEqualTo(error.retryAfter, longestWait))

/** After what the endpoint says and no sooner, else after delays that double, with jitter. */
export const patience = Schedule.exponential("500 millis").pipe(
  Schedule.setInputType<AiError.AiError>(),
  Schedule.passthrough,
  Schedule.jittered,
  Schedule.modifyDelay(({ input, duration }) => Effect.succeed(input.retryAfter ?? duration))
)
