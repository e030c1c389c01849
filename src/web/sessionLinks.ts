/**
 * Whether the links of a page carry the session that it has just begun, as sites write them for visitors without
 * cookies: `/item?s=81f2...`. Otherwise each page would link to the others under new URLs, without end.
 */
import * as AliasParameters from "#contract/AliasParameters"
import * as PageUrl from "#contract/PageUrl"
import type { Fetched } from "./Fetch.ts"

/** `set`: its Set-Cookie headers. Known session parameters do not count, because they never identify a page. */
export const carriesSession = ({ body, page }: Fetched, url: URL, set: ReadonlyArray<string>): boolean =>
  set
    .map(valueOf)
    .filter((value) => isLikeSession.test(value))
    .slice(0, mostSessions)
    .some((value) => {
      const links = page === undefined ? hrefsWith(value, body) : page.links.split("\n")
      return links.some((link) => {
        const linked = link.includes(value) ? PageUrl.normalize(link, url.href) : undefined
        return linked !== undefined && PageUrl.plainOf(linked, counted).href.includes(value)
      })
    })

/** A site has one session; of pages that set many cookies, only so many are searched for. */
const mostSessions = 4

const valueOf = (cookie: string): string =>
  cookie
    .slice(cookie.indexOf("=") + 1)
    .split(";", 1)[0]
    ?.trim() ?? ""

/** Long, with letters and digits: not a language, a currency or a consent. */
const isLikeSession = /^(?=[^\d]*\d)[\w-]{10,200}$/

/** The links at the first places of this value: if links carry a session, all of them do. */
const hrefsWith = (value: string, body: Uint8Array): ReadonlyArray<string> => {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const found: Array<string> = []
  let at = bytes.indexOf(value)
  for (let places = 0; at !== -1 && places < mostPlaces; places++, at = bytes.indexOf(value, at + 1)) {
    const before = hrefBefore.exec(bytes.toString("latin1", Math.max(0, at - longest), at))?.[1]
    if (before !== undefined) found.push(`${before.replaceAll("&amp;", "&")}${value}`)
  }
  return found
}

const mostPlaces = 20
const longest = 1000
const hrefBefore = /\bhref\s*=\s*["']?([^"'<>\s]*)$/i

const counted: PageUrl.Identity = {
  ignoreQuery: false,
  routes: false,
  indexIsFolder: false,
  isAlias: AliasParameters.isAlias
}
