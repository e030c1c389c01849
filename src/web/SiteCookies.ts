/**
 * Decides with which cookies the pages of one job are requested.
 *
 * Guarantee: the content of a page does not depend on what was read before it. A link that switches the currency, the
 * language or the layout sets a cookie or changes a session, and each later page would differ. So each page is
 * requested as by a new visitor, with its own jar for its redirects.
 *
 * Some hosts admit nobody without a cookie. They set one and redirect to the same page again, or they redirect a
 * visitor without the cookie of their first page elsewhere. Others write the session into the links for visitors
 * without cookies. The pages of such a host get those cookies, and no others. If the host turns away a visitor who has
 * them, its session may have ended: then the new ones that it sets are sent, or those that its first page sets for a
 * new visitor.
 */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import * as AliasParameters from "#contract/AliasParameters"
import * as PageUrl from "#contract/PageUrl"
import * as CookieJar from "./CookieJar.ts"
import type { FetchResult, Options } from "./Fetch.ts"
import { isRedirect } from "./fetch/AnswerHead.ts"

interface SiteCookies {
  /** The cookies of one page, for its redirects. */
  readonly visit: () => CookieJar.CookieJar
}

export const create = (): SiteCookies => {
  const admission: Admission = {
    jar: CookieJar.empty(),
    answeringHosts: new Set(),
    entrances: new Map(),
    gates: new Set(),
    entering: Semaphore.makeUnsafe(1),
    demanding: new Set(),
    trials: new Map()
  }
  return { visit: () => visit(admission) }
}

/** What the pages of a job have found out about who is admitted. */
interface Admission {
  /** The cookies of each host's first page, and those that hosts demand of every visitor. */
  readonly jar: CookieJar.CookieJar
  /** The hosts that have answered. */
  readonly answeringHosts: Set<string>
  /** For each host, the page that set the cookies in `jar`. */
  readonly entrances: Map<string, URL>
  /** Where hosts send visitors without a cookie. */
  readonly gates: Set<string>
  /** Held while an ended session is begun again. */
  readonly entering: Semaphore.Semaphore
  /** The hosts that demand cookies. */
  readonly demanding: Set<string>
  /** How many pages in a row each host was asked again for in vain. */
  readonly trials: Map<string, number>
}

const visit = (admission: Admission): CookieJar.CookieJar => {
  const { demanding, gates, jar, answeringHosts, trials } = admission
  const own = CookieJar.empty()
  const requested = new Set<string>()
  const set: Array<readonly [URL, ReadonlyArray<string>]> = []
  const demanded = (url: URL) => (demanding.has(url.host) ? jar.headerFor(url) : undefined)
  return {
    headerFor: (url) => CookieJar.joined(own.headerFor(url), demanded(url)),
    keep: own.keep,
    exchange: Effect.fnUntraced(function* (url, options, get) {
      const { host, href } = url
      const send = (theirs: string | undefined) =>
        own.exchange(url, options, (sent) => get(CookieJar.withCookies(sent, theirs)))
      const isAgain = requested.has(href)
      requested.add(href)
      const sent = { before: jar.headerFor(url), given: demanded(url) }
      const answer = yield* send(sent.given)
      if (answer.cookies !== undefined) {
        set.push([url, answer.cookies])
        if (!answeringHosts.has(host)) yield* admit(admission, url, answer.cookies)
      }
      answeringHosts.add(host)
      if (isAgain) {
        if (!isIn(answer)) return answer
        for (const [from, cookies] of set) yield* admit(admission, from, cookies)
        demanding.add(host)
        return answer
      }
      const enter = (entrance: URL) => get(anew(options), entrance)
      const theirs = yield* askAgainWith(admission, { ...sent, url, answer }, enter)
      const other = theirs === undefined ? answer : yield* send(theirs)
      if (other === answer || !isIn(other)) return answer
      if (turningAway(answer)) gates.add(gateOf(url, answer))
      demanding.add(host)
      trials.delete(host)
      return other
    })
  }
}

const admit = ({ entrances, jar }: Admission, url: URL, cookies: ReadonlyArray<string>) => {
  entrances.set(url.host, url)
  return jar.keep(url, cookies)
}

/** The cookies to ask again with, if the answer is for visitors without them; undefined: the answer is kept. */
const askAgainWith = Effect.fnUntraced(function* <E, R>(
  admission: Admission,
  exchange: Exchange,
  enter: (entrance: URL) => Effect.Effect<FetchResult, E, R>
) {
  const { demanding, gates, jar } = admission
  const { answer, before, given, url } = exchange
  const { cookies = [] } = answer
  const isTurnedAway = turningAway(answer)
  if (given !== undefined) {
    const isAway = isTurnedAway && (cookies.length > 0 || !isRedirect(answer.status) || gates.has(gateOf(url, answer)))
    return isAway && mayTry(admission, url.host) ? yield* renew(admission, { ...exchange, given }, enter) : undefined
  } else if (isTurnedAway) {
    // A page may have been in flight when another found out that the host demands cookies.
    if (!demanding.has(url.host) && (before === undefined || !mayTry(admission, url.host))) return undefined
  } else {
    if (!isIn(answer) || !carriesSession(answer, url, cookies)) return undefined
    if (!demanding.has(url.host)) yield* admit(admission, url, cookies)
  }
  return jar.headerFor(url)
})

const mayTry = ({ trials }: Admission, host: string): boolean => {
  const count = trials.get(host) ?? 0
  if (count >= maxTrials) return false
  trials.set(host, count + 1)
  return true
}

/** Begins an ended session again. If many pages find that it has ended, one of them asks for the new one. */
const renew = <E, R>(
  { entering, entrances, jar }: Admission,
  { answer, given, url }: Exchange & { readonly given: string },
  enter: (entrance: URL) => Effect.Effect<FetchResult, E, R>
) =>
  entering.withPermit(
    Effect.gen(function* () {
      const names = CookieJar.namesIn(given)
      const isOurs = (cookie: string) => names.has(CookieJar.nameOf(cookie))
      const set = (answer.cookies ?? []).filter(isOurs)
      const entrance = entrances.get(url.host)
      // Otherwise another page has renewed it meanwhile, and this answer is older.
      if (jar.headerFor(url) === given) {
        if (set.length > 0) yield* jar.keep(url, set)
        const jarCookies = jar.headerFor(url) ?? ""
        const namesHeld = CookieJar.namesIn(jarCookies)
        // The host has set nothing new, or has removed cookies that it had set.
        const isOver = jarCookies === given || [...names].some((name) => !namesHeld.has(name))
        if (isOver && entrance !== undefined) {
          const { cookies: begun = [] } = yield* enter(entrance)
          yield* jar.keep(entrance, begun.filter(isOurs))
        }
      }
      const renewed = jar.headerFor(url)
      return renewed === given ? undefined : renewed
    })
  )

/** A request with its answer: the cookies that were available to it, and those that it was sent with. */
interface Exchange {
  readonly url: URL
  readonly answer: FetchResult
  readonly before: string | undefined
  readonly given: string | undefined
}

/** The target of a redirect, without its query. */
const gateOf = (url: URL, { location = "" }: FetchResult): string => {
  const gate = URL.parse(location, url.href)
  return gate === null ? "" : gate.host + gate.pathname
}

/** The request of a new visitor, whose answer is used only for its cookies. */
const anew = (options: Options): Options => {
  const { order: _, ...plain } = options
  return plain
}

/** How many pages of a host in a row are asked for again with cookies in vain. */
const maxTrials = 10

const isIn = ({ status }: FetchResult): boolean => status < 400 && !isRedirect(status)

const turningAway = ({ status }: FetchResult): boolean => isRedirect(status) || status === 401 || status === 403

/**
 * Whether the links of a page carry the session that it has just begun, as sites write them for visitors without
 * cookies: `/item?s=81f2...`. Otherwise each page would link to the others under new URLs, without end.
 */

/** `set`: its Set-Cookie headers. Known session parameters do not count, because they never identify a page. */
export const carriesSession = ({ body, page }: FetchResult, url: URL, set: ReadonlyArray<string>): boolean =>
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
  const links: Array<string> = []
  let at = bytes.indexOf(value)
  for (
    let occurrences = 0;
    at !== -1 && occurrences < mostOccurrences;
    occurrences++, at = bytes.indexOf(value, at + 1)
  ) {
    const before = hrefBefore.exec(bytes.toString("latin1", Math.max(0, at - longest), at))?.[1]
    if (before !== undefined) links.push(`${before.replaceAll("&amp;", "&")}${value}`)
  }
  return links
}

const mostOccurrences = 20
const longest = 1000
const hrefBefore = /\bhref\s*=\s*["']?([^"'<>\s]*)$/i

const counted: PageUrl.Identity = {
  ignoreQuery: false,
  routes: false,
  indexIsFolder: false,
  isAlias: AliasParameters.isAlias
}
