/**
 * robots.txt of each origin, had once an hour at most; one that could not be had is asked for again when somebody asks.
 *
 * An answer means what RFC 9309 says (`Robots.fromAnswer`). A robots.txt that cannot be fetched forbids the site,
 * because its rules are unknown: asking for them then fails with the reason. It is fetched as politely as a page.
 */
import * as Cache from "effect/Cache"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { decode } from "../../html/Charset.ts"
import * as CookieJar from "../fetch/CookieJar.ts"
import { FetchError, type Options } from "../fetch/Fetch.ts"
import { followRedirects } from "../fetch/followRedirects.ts"
import { PoliteFetch } from "./PoliteFetch.ts"
import * as Robots from "./Robots.ts"

export class SiteRules extends Context.Service<
  SiteRules,
  {
    /** `options`: those of the pages. Where their certificates are not checked, neither is that of the rules. */
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

/** RFC 9309, 2.5: at least 500 KiB must be read, and `Robots.parse` reads no more; what is beyond this is no robots.txt. */
const maxRobotsBytes = 5 * 1024 * 1024

/** How rules are asked for, by everybody. */
export const fetchOptions = { timeoutMillis: 15_000, maxBytes: maxRobotsBytes } as const

const make = Effect.gen(function* () {
  const polite = yield* PoliteFetch

  const lookup = (options: Options) => (origin: string) => {
    const url = new URL("/robots.txt", origin)
    // A site that lets nobody in without its cookie sets it with a redirect.
    const jar = CookieJar.make()
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
      // RFC 9309, 2.3.1.2: no file at the end of too many redirects is no file
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
  // What a host answers whose certificate is not checked is not for those who check.
  const unchecked = yield* cacheOf({ ...fetchOptions, skipTlsVerification: true })
  return SiteRules.of({
    of: (url, options) => Cache.get(options?.skipTlsVerification === true ? unchecked : checked, url.origin)
  })
})
