/** The answers to failures: a page could not be fetched, or the store failed. */
import type * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { BadRequest, Forbidden, InternalError, NotFound, RequestTimeout, Unprocessable } from "#contract/Errors"
import type { FetchError } from "#web/Fetch"
import type { StoreError } from "#web/StoreError"
import { Accounts } from "../accounts/Accounts.ts"
import { Seals } from "../store/Seals.ts"

/**
 * The answer for a page that could not be fetched: an HTTP error for the codes below, or else a 200 with `success: false`,
 * the code and the reason.
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
      return yield* new BadRequest({ message: `Bad Request: ${message}`, code })
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

/** A failure of the store is 500. Its details go to the log, not to the caller. */
export const storeFailed = (error: StoreError): Effect.Effect<never, InternalError> =>
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
