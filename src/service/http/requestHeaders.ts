/**
 * The scheme and host that a caller used, so that URLs in answers work for this caller, also behind a proxy. Headers are
 * not trusted: values that do not make an http or https origin are ignored.
 */
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { BadRequest } from "#contract/Errors"
import { idempotencyHeader, maxIdempotencyKey } from "#contract/idempotencyHeader"

export const requestOrigin = (request: HttpServerRequest): string => {
  const host = request.headers["x-forwarded-host"] ?? request.headers["host"] ?? URL.parse(request.url)?.host
  const proto = request.headers["x-forwarded-proto"] ?? URL.parse(request.url)?.protocol.slice(0, -1)
  const scheme = first(proto ?? "") === "https" ? "https" : "http"
  return URL.parse(`${scheme}://${first(host ?? "")}`)?.origin ?? `${scheme}://localhost`
}

/** Each proxy of a chain adds its value: the first one is the caller's. */
const first = (value: string): string => value.split(",", 1).join("").trim()

/**
 * The idempotency key of a request: a caller sends it to start a job only once.
 *
 * An empty key is refused: two callers that send one by mistake would get the same job.
 *
 * Returns undefined if the request has none.
 */
export const idempotencyKey = Effect.fnUntraced(function* ({ headers }: HttpServerRequest) {
  const key = headers[idempotencyHeader]
  if (key === undefined || (key !== "" && key.length <= maxIdempotencyKey)) return key
  const message = `must have 1 to ${maxIdempotencyKey} characters`
  return yield* new BadRequest({
    message: `Bad Request: ${idempotencyHeader}: ${message}`,
    details: [{ path: [idempotencyHeader], message }]
  })
})
