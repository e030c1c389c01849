/** The answers to failures: a page could not be fetched, or the store failed. */
import type * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import {
  BadGateway,
  BadRequest,
  Forbidden,
  InternalError,
  NotFound,
  PayloadTooLarge,
  RequestTimeout,
  ServiceUnavailable,
  Unprocessable
} from "#contract/Errors"
import type { FetchError } from "#web/Fetch"
import type { StoreError } from "#web/StoreError"
import { Accounts } from "../accounts/Accounts.ts"
import { Seals } from "../store/Seals.ts"

/**
 * The answer for a page that could not be fetched: an HTTP error for the codes below, or else a 200 with `success: false`,
 * the code and the reason. What may succeed when it is asked again has a status that clients retry.
 */
export const fetchFailed = Effect.fnUntraced(function* ({ code, message }: FetchError) {
  switch (code) {
    case "SCRAPE_TIMEOUT":
      return yield* new RequestTimeout({ message: `Request Timeout: ${message}`, code })
    case "SCRAPE_ADDRESS_BLOCKED":
    case "SCRAPE_PROMPT_INJECTION_DETECTED":
      return yield* new Forbidden({ message, code })
    case "SCRAPE_BROWSER_UNAVAILABLE":
    case "SCRAPE_ACTION_ERROR":
    case "SCRAPE_UNSUPPORTED_FILE_ERROR":
      return yield* new BadRequest({ message: `Bad Request: ${message}`, code })
    case "SCRAPE_CONNECTION_ERROR":
    case "SCRAPE_FETCH_ERROR":
    case "SCRAPE_INVALID_RESPONSE":
    case "SCRAPE_PROXY_ERROR":
    case "SCRAPE_REDIRECT_ERROR":
    case "SCRAPE_REDIRECT_LOOP":
    case "SCRAPE_TLS_ERROR":
      return yield* new BadGateway({ message: `Bad Gateway: ${message}`, code })
    case "SCRAPE_NO_CACHED_DATA":
      return yield* new NotFound({ message, code })
    case "SCRAPE_EXTRACTION_ERROR":
      return yield* new Unprocessable({ message, code })
    case "SCRAPE_STORE_ERROR":
      return yield* new InternalError({ message, code })
    default:
      return { success: false as const, code, error: message }
  }
})

/** The same for a file that the caller sent: what is wrong with it is a fault of the request. */
export const fileFailed = Effect.fnUntraced(function* (error: FetchError) {
  const { code, message } = error
  switch (code) {
    case "SCRAPE_FILE_BROKEN_ERROR":
    case "SCRAPE_FILE_ENCRYPTED_ERROR":
    case "SCRAPE_PAGE_TOO_COSTLY":
      return yield* new BadRequest({ message: `Bad Request: ${message}`, code })
    case "SCRAPE_FILE_TIMEOUT_ERROR":
      return yield* new RequestTimeout({ message: `Request Timeout: ${message}`, code })
    case "SCRAPE_FILE_TOO_LARGE_ERROR":
    case "SCRAPE_PAGE_TOO_LARGE":
      return yield* new PayloadTooLarge({ message: `Payload Too Large: ${message}`, code })
    default:
      return yield* fetchFailed(error)
  }
})

/**
 * A failure of the store is 500, and 503 with Retry-After while its database cannot be reached. Its details go to the log,
 * not to the caller.
 */
export const storeFailed = (error: StoreError): Effect.Effect<never, InternalError | ServiceUnavailable> =>
  error.isRetryable ? storeAway(error) : storeBroken(error)

const storeAway = Effect.fnUntraced(function* (error: StoreError) {
  yield* logFailure("the store cannot be reached", error)
  return yield* new ServiceUnavailable({
    message: `Service Unavailable: the store cannot be reached; retry after ${awaySeconds} s`
  })
})

/** How soon a caller may ask again: a database, or a service, that restarts is back after a few seconds. */
export const awaySeconds = 5

const storeBroken = (error: StoreError): Effect.Effect<never, InternalError> =>
  Effect.andThen(
    logFailure("the store failed", error),
    Effect.fail(new InternalError({ message: "the service cannot read or write its store; try again in a moment" }))
  )

/*
 * The log's entry for a request that failed. Guarantee: with zero data retention the reason is not logged, because a failure
 * may name the page, the prompt or what was read.
 */

/** Whether nothing of the current request may be kept. */
export const KeepsNothing = Context.Reference<boolean>("millrace/service/http/KeepsNothing", {
  defaultValue: () => false
})

export const logFailure = Effect.fnUntraced(function* (what: string, why: Cause.Cause<unknown> | StoreError) {
  if (yield* KeepsNothing) yield* Effect.logError(`${what}; the reason is not logged, because of zero data retention`)
  else yield* Effect.logError(what, why)
})

/** Whether a request comes from a team with zero data retention, or names a job with it. */
export const sealedRequests = (services: Context.Context<Accounts | Seals>) => {
  const accounts = Context.get(services, Accounts)
  const seals = Context.get(services, Seals)
  return ({ headers, url }: HttpServerRequest.HttpServerRequest): boolean => {
    const [, key = ""] = /^bearer +(.+)$/i.exec(headers["authorization"] ?? "") ?? []
    const ids = url.match(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g) ?? []
    return accounts.identify(key)?.plan.zeroDataRetention === true || ids.some((id) => seals.ofJob(id) !== undefined)
  }
}
