/**
 * What the requests of every kind of job have in common: how they start, what they say, and how a job is given up.
 *
 * If the answer to a start was lost and the start was sent again, the job has started all the same: the refusal names
 * it. A job is cancelled when its reader stops, but not when the service cannot be reached: then another process may
 * continue after the last answer.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { HttpClientError } from "effect/http/HttpClientError"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import { Conflict } from "../api/Errors.ts"
import { idempotencyReused } from "../api/idempotencyHeader.ts"

/** The job that a start has begun, or had begun before, and the start's answer as it came. */
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

/** What an answer says, unread; one that refuses fails as the contract has it. */
export const textOf = <A, E>(
  response: HttpClientResponse,
  decode: (response: HttpClientResponse) => Effect.Effect<A, E>
): Effect.Effect<string, E | HttpClientError> =>
  response.status < 400 ? response.text : Effect.andThen(decode(response), response.text)

/** Whoever interrupts must not wait longer for a service that does not answer; the job then ends by itself. */
export const giveUp = <A, E, R>(cancel: Effect.Effect<A, E, R>): Effect.Effect<void, never, R> =>
  Effect.ignore(Effect.timeout(cancel, "10 seconds"))

/** With the time at which it came, in milliseconds since the epoch. */
export const cameNow = <A extends object>(answer: A): Effect.Effect<A & { readonly at: number }> =>
  Effect.map(Clock.currentTimeMillis, (at) => ({ ...answer, at }))
