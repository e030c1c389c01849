/** The answers to failures: a page could not be fetched, or the store failed. */
import * as Effect from "effect/Effect"
import { BadRequest, Forbidden, InternalError, NotFound, RequestTimeout, Unprocessable } from "#contract/Errors"
import type { FetchError } from "#web/Fetch"
import type { StoreError } from "#web/StoreError"
import { logFailure } from "./failureLog.ts"

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
