/**
 * One exchange in its host's turn.
 *
 * After 429, or 503 with a Retry-After, no request is sent to the host for as long as it says (a minute at most). The
 * job decides whether the page is requested again (`Tries`); a request without a job uses `patiently`.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { retryAfterMillis } from "#contract/retryAfterMillis"
import * as Fetch from "./Fetch.ts"
import * as Patience from "./Patience.ts"
import { Politeness } from "./Politeness.ts"

export class PoliteFetch extends Context.Service<
  PoliteFetch,
  {
    /** One hop. `delayMillis`: the time to keep between two exchanges with the host. */
    readonly get: (
      url: URL,
      options: Fetch.Options,
      delayMillis: number
    ) => Effect.Effect<Fetch.FetchResult, Fetch.FetchError>
  }
>()("millrace/service/PoliteFetch") {
  static readonly layer = Layer.effect(
    PoliteFetch,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const fetch = yield* Fetch.Fetch
  const politeness = yield* Politeness

  /** Pauses the host if its answer asks for that. */
  const heed = Effect.fnUntraced(function* (host: string, fetched: Fetch.FetchResult) {
    const requested = retryAfterMillis(fetched.retryAfter, yield* Clock.currentTimeMillis, Patience.maxAskedMillis)
    const millis = requested ?? (fetched.status === 429 ? unsaidMillis : 0)
    if (millis > 0) yield* politeness.pause(host, millis)
  })

  return PoliteFetch.of({
    get: (url, options, delayMillis) =>
      Effect.tap(politeness.take(url.host, delayMillis, fetch.get(url.href, options)), (fetched) =>
        fetched.status === 429 || fetched.status === 503 ? heed(url.host, fetched) : Effect.void
      )
  })
})

/** The pause after a 429 that names none. */
const unsaidMillis = 1000
