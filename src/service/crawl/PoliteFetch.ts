/**
 * A fetch in its host's turn, tried again where that helps.
 *
 * The law: a host that says 429 or 503 is left alone for as long as it says (a minute at most) and asked again, three
 * times; a connection that broke is tried once more; a time-out is not, it has cost enough.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Fetch from "./Fetch.ts"
import { Politeness } from "./Politeness.ts"

export class PoliteFetch extends Context.Service<
  PoliteFetch,
  {
    /** One hop; `delayMillis` is the distance to keep between two exchanges with the host. */
    readonly get: (
      url: URL,
      options: Fetch.Options,
      delayMillis: number
    ) => Effect.Effect<Fetch.Fetched, Fetch.FetchError>
  }
>()("millrace/service/PoliteFetch") {
  static readonly layer = Layer.effect(
    PoliteFetch,
    Effect.suspend(() => make)
  )
}

const maxPauses = 3
const maxPauseMillis = 60_000

const make = Effect.gen(function* () {
  const fetch = yield* Fetch.Fetch
  const politeness = yield* Politeness

  const get = Effect.fnUntraced(function* (url: URL, options: Fetch.Options, delayMillis: number) {
    const once = politeness.take(url.host, delayMillis, fetch.get(url.href, options))
    const patient = once.pipe(
      Effect.retry({ times: 1, while: (error) => error.retryable && error.code === "SCRAPE_CONNECTION_ERROR" })
    )
    for (let attempt = 1; ; attempt++) {
      const fetched = yield* patient
      if ((fetched.status !== 429 && fetched.status !== 503) || attempt > maxPauses) return fetched
      const asked = retryAfterMillis(fetched.retryAfter, yield* Clock.currentTimeMillis)
      if (asked === undefined && fetched.status === 503) return fetched
      yield* politeness.pause(url.host, Math.min(maxPauseMillis, asked ?? 1000 * 2 ** attempt))
    }
  })
  return PoliteFetch.of({ get })
})

/** Retry-After as milliseconds from now: seconds, or an HTTP date. */
const retryAfterMillis = (header: string | undefined, now: number): number | undefined => {
  if (header === undefined) return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
