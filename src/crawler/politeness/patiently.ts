/**
 * One exchange, tried again where somebody waits for the answer: a page that is scraped by itself, a page of a search.
 *
 * Three tries in total. A broken connection is tried again at once, and a host that says how long to wait is asked again
 * after that (`PoliteFetch` keeps the wait); any other answer is final, and a timeout is not tried again.
 */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { FetchError, Fetched } from "../fetch/Fetch.ts"

export const patiently = Effect.fnUntraced(function* <R>(exchange: Effect.Effect<Fetched, FetchError, R>) {
  for (let attempt = 1; attempt < tries; attempt++) {
    const answer = yield* Effect.result(exchange)
    if (answer._tag === "Failure" && !isBroken(answer.failure)) return yield* answer.failure
    if (answer._tag === "Success" && !asksToWait(answer.success)) return answer.success
  }
  return yield* exchange
})

/** The same for the rules of a site, without which nothing of it may be read: asked again after one second, and four. */
export const patientRules = <A, R>(rules: Effect.Effect<A, FetchError, R>) =>
  Effect.retry(rules, {
    times: tries - 1,
    while: ({ retryable }) => retryable,
    schedule: Schedule.exponential("1 second", 4)
  })

const tries = 3

const asksToWait = ({ retryAfter, status }: Fetched): boolean =>
  status === 429 || (status === 503 && retryAfter !== undefined)

const isBroken = ({ code, retryable }: FetchError): boolean => retryable && code === "SCRAPE_CONNECTION_ERROR"
