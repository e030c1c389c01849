/**
 * One exchange that is retried while its caller waits: for a page that is scraped by itself, or a page of a search.
 *
 * Three tries in total. A broken connection is retried at once. If the host says how long to wait, the request is
 * retried after that (`PoliteFetch` keeps the wait). Any other answer is final, and a timeout is not retried.
 */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { FetchError, FetchResult } from "./Fetch.ts"

export const patiently = Effect.fnUntraced(function* <R>(exchange: Effect.Effect<FetchResult, FetchError, R>) {
  for (let attempt = 1; attempt < tries; attempt++) {
    const answer = yield* Effect.result(exchange)
    if (answer._tag === "Failure" && !isBroken(answer.failure)) return yield* answer.failure
    if (answer._tag === "Success" && !asksToWait(answer.success)) return answer.success
  }
  return yield* exchange
})

/**
 * The same for a site's rules, without which none of its pages may be read: retried after one second, and after four.
 */
export const patientRules = <A, R>(rules: Effect.Effect<A, FetchError, R>) =>
  Effect.retry(rules, {
    times: tries - 1,
    while: ({ retryable }) => retryable,
    schedule: Schedule.exponential("1 second", 4)
  })

const tries = 3

const asksToWait = ({ retryAfter, status }: FetchResult): boolean =>
  status === 429 || (status === 503 && retryAfter !== undefined)

const isBroken = ({ code, retryable }: FetchError): boolean => retryable && code === "SCRAPE_CONNECTION_ERROR"
