/** The answer to a caller about a failure: of a page that could not be fetched, and of the store. */
import * as Effect from "effect/Effect"
import { BadRequest, Forbidden, InternalError, NotFound, RequestTimeout, Unprocessable } from "../../../api/Errors.ts"
import type { FetchError } from "../../../crawler/fetch/Fetch.ts"
import type { StoreError } from "../../../crawler/StoreError.ts"
import { logFailure } from "../failureLog.ts"

/**
 * What a page that could not be had is to the caller: the caller's own limits are statuses, what the page or its site
 * did is an answer that says why.
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

/** What the store cannot do is the service's own failure: 500, without its inside, which goes to the log. */
export const storeFailed = (error: StoreError): Effect.Effect<never, InternalError> =>
  Effect.andThen(
    logFailure("the store failed", error),
    Effect.fail(new InternalError({ message: "the service cannot read or write its store; try again in a moment" }))
  )
