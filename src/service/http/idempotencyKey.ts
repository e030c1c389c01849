/**
 * The idempotency key of a request: a caller sends it to start a job only once.
 *
 * An empty key is refused: two callers that send one by mistake would get the same job.
 */
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { BadRequest } from "#contract/Errors"
import { idempotencyHeader, maxIdempotencyKey } from "#contract/idempotencyHeader"

/** Returns undefined if the request has none. */
export const idempotencyKey = Effect.fnUntraced(function* ({ headers }: HttpServerRequest) {
  const key = headers[idempotencyHeader]
  if (key === undefined || (key !== "" && key.length <= maxIdempotencyKey)) return key
  const message = `must have 1 to ${maxIdempotencyKey} characters`
  return yield* new BadRequest({
    message: `Bad Request: ${idempotencyHeader}: ${message}`,
    details: [{ path: [idempotencyHeader], message }]
  })
})
