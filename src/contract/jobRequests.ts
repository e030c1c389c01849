/**
 * The requests that all kinds of jobs have in common: how to start a job, read the text of an answer, and cancel.
 *
 * If the answer to a start was lost and the start was sent again, the job has started already: the refusal names it. A job
 * is cancelled when its reader stops, but not when the service cannot be reached: then another process may continue after
 * the last answer.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { HttpClientError } from "effect/http/HttpClientError"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import { Conflict } from "./Errors.ts"
import { idempotencyReused } from "./idempotencyHeader.ts"

/** The job of a start, new or started before with the same key, and the answer's text. */
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

/** The text of an answer, not decoded. A refusal fails with the error of the contract. */
export const textOf = <A, E>(
  response: HttpClientResponse,
  decode: (response: HttpClientResponse) => Effect.Effect<A, E>
): Effect.Effect<string, E | HttpClientError> =>
  response.status < 400 ? response.text : Effect.andThen(decode(response), response.text)

/** Cancels a job. If the service does not answer in time, the job ends by itself. */
export const giveUp = <A, E, R>(cancel: Effect.Effect<A, E, R>): Effect.Effect<void, never, R> =>
  Effect.ignore(Effect.timeout(cancel, "10 seconds"))

/** Adds the current time, in milliseconds since the epoch. */
export const cameNow = <A extends object>(answer: A): Effect.Effect<A & { readonly at: number }> =>
  Effect.map(Clock.currentTimeMillis, (at) => ({ ...answer, at }))
