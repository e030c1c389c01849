/**
 * Requests that are alone in a job, a robots.txt or a sitemap: the caller waits while they are retried. Pages return to
 * the queue instead (`PutAside`).
 */
import * as Effect from "effect/Effect"
import type { FetchError, FetchResult } from "../Fetch.ts"
import { monotonicMillis } from "../monotonicMillis.ts"
import * as Patience from "../Patience.ts"
import { Later, type Refused, type Tries } from "./Tries.ts"

/** The rules of a site, without which none of its pages may be read. */
export const persistentRules = <A extends object>(tries: Tries, url: URL, rules: Effect.Effect<A, FetchError>) =>
  persistently(tries.ask(url, rules), { tries, name: "robots.txt", refusalIn: () => undefined })

/** A file that is not a page: a sitemap. */
export const persistentFile = (tries: Tries, url: URL, exchange: Effect.Effect<FetchResult, FetchError>) =>
  persistently(tries.ask(url, exchange), {
    tries,
    name: url.href,
    refusalIn: (fetched) => (Patience.isTransient(fetched.status) ? { url, fetched } : undefined)
  })

interface Options<A> {
  readonly tries: Tries
  /** A name that nothing else of the job has. */
  readonly name: string
  /** The refusal in an answer; undefined: there is none. */
  readonly refusalIn: (answer: A) => Refused | undefined
}

const persistently = Effect.fnUntraced(function* <A, R>(
  exchange: Effect.Effect<A, FetchError | Later, R>,
  { name, refusalIn, tries }: Options<A>
): Effect.fn.Return<A, FetchError, R> {
  for (;;) {
    const answer = yield* Effect.result(exchange)
    const refused = answer._tag === "Success" ? refusalIn(answer.success) : refusalOf(answer.failure)
    const next = refused === undefined || refused instanceof Later ? refused : yield* tries.again(name, refused)
    if (next instanceof Later) {
      yield* Effect.sleep(Math.max(0, next.at - (yield* monotonicMillis)))
      continue
    }
    if (next !== undefined) return yield* next
    if (answer._tag === "Success") return answer.success
    if (answer.failure._tag === "FetchError") return yield* answer.failure
  }
})

const refusalOf = (failure: FetchError | Later): Refused | Later | undefined => {
  if (failure._tag === "Later") return failure
  return failure.retryable ? { error: failure } : undefined
}
