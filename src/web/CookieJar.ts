/**
 * The cookies that sites set on the way to a page.
 *
 * A cookie is sent only where its site allows it (RFC 6265, by `tough-cookie`, which knows the public suffixes). A jar
 * is limited, whatever sites set. The caller's own Cookie header is sent as given, followed by the site's cookies. A
 * job of many pages has a jar for each (`SiteCookies.ts`).
 */
import * as Effect from "effect/Effect"
import type * as ToughCookie from "tough-cookie"
import type { FetchResult, Options } from "./Fetch.ts"

export interface CookieJar {
  /** The Cookie header for this page; undefined: none. */
  readonly headerFor: (url: URL) => string | undefined
  /** Stores the cookies that an answer for this page sets. */
  readonly keep: (url: URL, set: ReadonlyArray<string>) => Effect.Effect<void>
  /**
   * An exchange that sends the cookies of the jar and stores those of the answer. `other`: the page to ask for instead,
   * to begin a session again.
   */
  readonly exchange: <E, R>(
    url: URL,
    options: Options,
    get: (options: Options, other?: URL) => Effect.Effect<FetchResult, E, R>
  ) => Effect.Effect<FetchResult, E, R>
}

/** The maximum number of cookies in a jar, and the maximum length of a cookie: about what browsers hold. */
const maxCookies = 2000
const maxOfHost = 50
const longest = 4096

export const empty = (): CookieJar => {
  /** Created with the first cookie, because most sites set none. */
  let jar: ToughCookie.CookieJar | undefined

  const headerFor = (url: URL): string | undefined => {
    if (jar === undefined) return undefined
    const header = jar.getCookieStringSync(url.href)
    return header === "" ? undefined : header
  }

  /** The names of the cookies of each host: it may change each, and set more while there is room. */
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

/** The request with the jar's cookies after the caller's. */
export const withCookies = (options: Options, ours: string | undefined): Options => {
  const cookie = ours === undefined ? undefined : joined(options.headers?.["cookie"], ours)
  return cookie === undefined ? options : { ...options, headers: { ...options.headers, cookie } }
}

/** The first cookies, followed by those of the others that have other names. */
export const joined = (first: string | undefined, others: string | undefined): string | undefined => {
  if (first === undefined || others === undefined) return first ?? others
  const names = namesIn(first)
  return [first, ...others.split("; ").filter((cookie) => !names.has(nameOf(cookie)))].join("; ")
}

export const namesIn = (cookies: string): ReadonlySet<string> => new Set(cookies.split(";").map(nameOf))

export const nameOf = (cookie: string): string => (cookie.split("=", 1)[0] ?? "").trim()
