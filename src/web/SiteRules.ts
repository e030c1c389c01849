/**
 * The robots.txt of each origin, fetched at most once an hour. If it could not be fetched, the next caller fetches it
 * again.
 *
 * An answer means what RFC 9309 says (`Robots.fromAnswer`). If a robots.txt cannot be fetched, its rules are unknown
 * and the site must not be read: asking for them then fails with the reason. It is fetched as politely as a page.
 */
import * as Cache from "effect/Cache"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { decode } from "#page/Charset"
import * as CookieJar from "./CookieJar.ts"
import { FetchError, type Options } from "./Fetch.ts"
import { followRedirects } from "./followRedirects.ts"
import { PoliteFetch } from "./PoliteFetch.ts"
import * as Robots from "./politeness/Robots.ts"

export class SiteRules extends Context.Service<
  SiteRules,
  {
    /** `options`: those of the pages. If their certificates are not checked, neither is that of the rules. */
    readonly of: (url: URL, options?: TlsOptions) => Effect.Effect<Robots.Robots, FetchError>
  }
>()("millrace/service/SiteRules") {
  static readonly layer = Layer.effect(
    SiteRules,
    Effect.suspend(() => make)
  )
}

interface TlsOptions {
  readonly skipTlsVerification?: boolean | undefined
}

/**
 * RFC 9309, 2.5: at least 500 KiB must be read, and `Robots.parse` reads no more; a larger file than this is refused.
 */
const maxRobotsBytes = 5 * 1024 * 1024

/** The options of every request for rules. */
export const fetchOptions = { timeoutMillis: 15_000, maxBytes: maxRobotsBytes } as const

const make = Effect.gen(function* () {
  const polite = yield* PoliteFetch

  const lookup = (options: Options) => (origin: string) => {
    const url = new URL("/robots.txt", origin)
    // A site that admits nobody without its cookie sets it with a redirect.
    const jar = CookieJar.empty()
    const get = (hop: URL) => jar.exchange(hop, options, (sent) => polite.get(hop, sent, 0))
    return followRedirects(url, get, () => Effect.void, jar).pipe(
      Effect.flatMap(({ fetched: { body, contentType, status } }) =>
        status >= 500
          ? new FetchError({
              url: url.href,
              code: "SCRAPE_ROBOTS_ERROR",
              message: `it answers ${status}`,
              retryable: true
            })
          : Effect.succeed(Robots.fromAnswer({ status, text: decode(body, contentType, "text") }, url.href))
      ),
      // RFC 9309, 2.3.1.2: after too many redirects, the file counts as missing.
      Effect.catchIf(
        (error) => error.code === "SCRAPE_REDIRECT_ERROR" || error.code === "SCRAPE_REDIRECT_LOOP",
        () => Effect.succeed(Robots.allowAll)
      ),
      Effect.mapError(
        (error) =>
          new FetchError({
            ...error,
            message: `robots.txt cannot be fetched, so nothing may be crawled: ${error.message}`
          })
      )
    )
  }
  const cacheOf = (options: Options) =>
    Cache.makeWith(lookup(options), {
      capacity: 10_000,
      timeToLive: (exit) => (Exit.isSuccess(exit) ? "1 hour" : "500 millis")
    })
  const checked = yield* cacheOf(fetchOptions)
  // Answers without a checked certificate are cached separately.
  const unchecked = yield* cacheOf({ ...fetchOptions, skipTlsVerification: true })
  return SiteRules.of({
    of: (url, options) => Cache.get(options?.skipTlsVerification === true ? unchecked : checked, url.origin)
  })
})
