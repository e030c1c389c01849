/**
 * The key by which a caller starts a job once, as its request says it.
 *
 * An empty key is not a choice: its caller would get the job of another request.
 */
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { BadRequest } from "../../api/Errors.ts"
import { idempotencyHeader, maxIdempotencyKey } from "../../api/idempotencyHeader.ts"

/** Undefined: the caller has none. */
export const idempotencyKey = Effect.fnUntraced(function* ({ headers }: HttpServerRequest) {
  const key = headers[idempotencyHeader]
  if (key === undefined || (key !== "" && key.length <= maxIdempotencyKey)) return key
  const message = `must have 1 to ${maxIdempotencyKey} characters`
  return yield* new BadRequest({
    message: `Bad Request: ${idempotencyHeader}: ${message}`,
    details: [{ path: [idempotencyHeader], message }]
  })
})
