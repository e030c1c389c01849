/**
 * What all kinds of jobs share: starting a job, reading an answer, and cancelling.
 *
 * If the answer to a start is lost and the start is sent again, the first request may have started the job. The service then
 * answers 409 with the id of that job. A job is cancelled when its reader stops, but not when the service cannot be reached:
 * then another process may continue after the last answer.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { HttpClientError } from "effect/http/HttpClientError"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import { Conflict } from "../api/Errors.ts"
import { idempotencyReused } from "../api/idempotencyHeader.ts"

/** The job that this request or an earlier one has started, with the text of the answer. */
export const startedJob = Effect.fnUntraced(function* <E>(
  response: HttpClientResponse,
  decode: (response: HttpClientResponse) => Effect.Effect<{ readonly id: string }, E>
) {
  const text = yield* response.text
  const begun = Effect.map(decode(response), ({ id }) => ({ id, isNew: true }))
  const { id, isNew } = yield* Effect.catchIf(
    begun,
    (error) => error instanceof Conflict && error.code === idempotencyReused,
    (error) => {
      const id = error instanceof Conflict ? error.details?.[0]?.message : undefined
      return id === undefined ? Effect.fail(error) : Effect.succeed({ id, isNew: false })
    }
  )
  return { id, text, isNew }
})

/** The text of an answer, which is not decoded. An error status fails with the error of the contract. */
export const textOf = <A, E>(
  response: HttpClientResponse,
  decode: (response: HttpClientResponse) => Effect.Effect<A, E>
): Effect.Effect<string, E | HttpClientError> =>
  response.status < 400 ? response.text : Effect.andThen(decode(response), response.text)

/** Cancels a job, for at most ten seconds: an interrupt must not wait for a service that does not answer. */
export const giveUp = <A, E, R>(cancel: Effect.Effect<A, E, R>): Effect.Effect<void, never, R> =>
  Effect.ignore(Effect.timeout(cancel, "10 seconds"))

/** Adds the current time to an answer, in milliseconds since the epoch. */
export const cameNow = <A extends object>(answer: A): Effect.Effect<A & { readonly at: number }> =>
  Effect.map(Clock.currentTimeMillis, (at) => ({ ...answer, at }))
