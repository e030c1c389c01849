/**
 * The cookies that sites set on the way to a page.
 *
 * A cookie goes only where its site may have it (RFC 6265, by `tough-cookie`, which knows the public suffixes); a jar is
 * limited, whatever sites set. A header Cookie of the caller is sent as given, followed by the site's own cookies. A job of
 * many pages has a jar for each (`SiteCookies.ts`).
 */
import * as Effect from "effect/Effect"
import type * as ToughCookie from "tough-cookie"
import type { Fetched, Options } from "./Fetch.ts"

export interface CookieJar {
  /** What a request for this page says of cookies; undefined: nothing. */
  readonly headerFor: (url: URL) => string | undefined
  /** Keeps what an answer for this page sets. */
  readonly keep: (url: URL, set: ReadonlyArray<string>) => Effect.Effect<void>
  /**
   * An exchange that sends what the jar has for the page, and keeps what the answer sets. `other`: the page to ask for
   * instead, to begin a session again.
   */
  readonly exchange: <E, R>(
    url: URL,
    options: Options,
    get: (options: Options, other?: URL) => Effect.Effect<Fetched, E, R>
  ) => Effect.Effect<Fetched, E, R>
}

/** Cookies of one jar, and characters of one cookie: what browsers hold, about. */
const maxCookies = 2000
const maxOfHost = 50
const longest = 4096

export const make = (): CookieJar => {
  /** Made with the first cookie: most sites set none. */
  let jar: ToughCookie.CookieJar | undefined

  const headerFor = (url: URL): string | undefined => {
    if (jar === undefined) return undefined
    const header = jar.getCookieStringSync(url.href)
    return header === "" ? undefined : header
  }

  /** Names of cookies that a host has set: it may change each, and set more while there is room. */
  const names = new Map<string, Set<string>>()
  let cookies = 0
  const hasRoom = (host: string, name: string): boolean => {
    const own = names.get(host) ?? new Set()
    if (own.has(name)) return true
    if (own.size >= maxOfHost || cookies >= maxCookies) return false
    cookies += 1
    names.set(host, own.add(name))
    return true
  }

  const keep = Effect.fnUntraced(function* (url: URL, set: ReadonlyArray<string>) {
    const { Cookie, CookieJar } = yield* Effect.promise(() => import("tough-cookie"))
    jar ??= new CookieJar()
    for (const text of set.slice(0, maxOfHost)) {
      const cookie = text.length <= longest ? Cookie.parse(text) : undefined
      if (cookie === undefined || !hasRoom(url.host, `${cookie.domain ?? ""} ${cookie.path ?? ""} ${cookie.key}`))
        continue
      jar.setCookieSync(cookie, url.href, { ignoreError: true })
    }
  })

  return {
    headerFor,
    keep,
    exchange: (url, options, get) =>
      Effect.suspend(() =>
        Effect.tap(get(withCookies(options, headerFor(url))), ({ cookies }) =>
          cookies === undefined ? Effect.void : keep(url, cookies)
        )
      )
  }
}

/** What a request says of cookies, with those of a jar behind the ones that it has. */
export const withCookies = (options: Options, ours: string | undefined): Options => {
  const cookie = ours === undefined ? undefined : joined(options.headers?.["cookie"], ours)
  return cookie === undefined ? options : { ...options, headers: { ...options.headers, cookie } }
}

/** Cookies, and behind them those of others that have other names. */
export const joined = (first: string | undefined, others: string | undefined): string | undefined => {
  if (first === undefined || others === undefined) return first ?? others
  const names = namesIn(first)
  return [first, ...others.split("; ").filter((cookie) => !names.has(nameOf(cookie)))].join("; ")
}

export const namesIn = (cookies: string): ReadonlySet<string> => new Set(cookies.split(";").map(nameOf))

export const nameOf = (cookie: string): string => (cookie.split("=", 1)[0] ?? "").trim()
