/**
 * Follows redirects one hop at a time.
 *
 * Every hop is checked before it is fetched (`permit` refuses by failing) and passes the address guard like any other
 * URL. There are at most ten hops; a chain that returns to itself is reported as a loop. A page that sets a cookie and
 * redirects to itself is not a loop, because the next request is different. `wireBytes` of the page includes all hops.
 */
import * as Effect from "effect/Effect"
import * as KnownSecrets from "#base/KnownSecrets"
import * as PageUrl from "#contract/PageUrl"
import type { CookieJar } from "./CookieJar.ts"
import * as Fetch from "./Fetch.ts"
import { isRedirect } from "./fetch/AnswerHead.ts"

export interface FinalHop {
  /** The URL that answered, without a secret of ours that a redirect has put into it. */
  readonly url: URL
  readonly fetched: Fetch.FetchResult
}

const maxHops = 10

export const followRedirects = Effect.fnUntraced(function* <E, R, E2, R2>(
  start: URL,
  /** `before`: the bytes received before this hop. */
  get: (url: URL, before: number) => Effect.Effect<Fetch.FetchResult, E, R>,
  permit: (next: URL) => Effect.Effect<void, E2, R2>,
  /** The cookies that `get` sends. */
  jar?: Pick<CookieJar, "headerFor">
) {
  const fail = (code: string, message: string) =>
    new Fetch.FetchError({ url: start.href, code, message, retryable: false })
  const requestFor = (url: URL) => `${url.href} ${jar?.headerFor(url) ?? ""}`
  const visited = new Set([requestFor(start)])
  let url = start
  let before = 0
  for (;;) {
    const fetched = yield* get(url, before)
    if (!isRedirect(fetched.status) || fetched.location === undefined) {
      const landed = KnownSecrets.maskedUrl(url)
      return {
        url: landed,
        fetched: before === 0 ? fetched : { ...fetched, wireBytes: before + (fetched.wireBytes ?? 0) }
      }
    }
    before += fetched.wireBytes ?? 0
    const next = PageUrl.normalize(fetched.location, url.href)
    if (next === undefined) {
      return yield* fail(
        "SCRAPE_REDIRECT_ERROR",
        `redirects to ${quoted(KnownSecrets.masked(fetched.location))}, which is not a web page`
      )
    }
    const shown = KnownSecrets.maskedUrl(next)
    if (visited.has(requestFor(next))) return yield* fail("SCRAPE_REDIRECT_LOOP", redirectLoop(shown))
    if (visited.size > maxHops) return yield* fail("SCRAPE_REDIRECT_ERROR", `redirects more than ${maxHops} times`)
    yield* permit(shown)
    visited.add(requestFor(next))
    url = next
  }
})

/** The message for a chain that returns to an earlier URL. */
export const redirectLoop = (via: URL): string => `redirects in a loop, by way of ${via.href}`

const quoted = (text: string): string => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}...` : text)
