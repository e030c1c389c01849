/**
 * Which cookies the pages of one job are asked with.
 *
 * The law: what a page says does not depend on what was read before it. A link that switches the currency, the language or
 * the layout sets a cookie, or notes it in the session of one, and each page behind it would say something else. So each
 * page is asked as by somebody who has just come, with a jar of its own for the way through its redirects.
 *
 * Some hosts let nobody in without a cookie. They set one and send the visitor to the same page again, or they send a visitor
 * without the cookie of their first page somewhere else. Others write the session into the links of a visitor without cookies.
 * The pages of such a host get those cookies, and no others. If the host turns away a visitor who has them, its session may have
 * ended: the new ones that it sets are sent, or those that the first page sets for somebody who comes anew.
 */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { isRedirect } from "./AnswerHead.ts"
import * as CookieJar from "./CookieJar.ts"
import type { Fetched, Options } from "./Fetch.ts"
import { carriesSession } from "./sessionLinks.ts"

export interface SiteCookies {
  /** The cookies of one page, on its way through redirects. */
  readonly visit: () => CookieJar.CookieJar
}

export const make = (): SiteCookies => {
  /** What hosts set with the first page that they gave, and what they let nobody in without. */
  const admission = CookieJar.make()
  const met = new Set<string>()
  /** The page of each host that has set the cookies in `admission`. */
  const entrances = new Map<string, URL>()
  /** Where hosts send those who have no cookie. */
  const gates = new Set<string>()
  const entering = Semaphore.makeUnsafe(1)
  const demanding = new Set<string>()
  const trials = new Map<string, number>()

  const demanded = (url: URL) => (demanding.has(url.host) ? admission.headerFor(url) : undefined)

  const admit = (url: URL, cookies: ReadonlyArray<string>) => {
    entrances.set(url.host, url)
    return admission.keep(url, cookies)
  }

  /** Begins a session again that has ended. If many pages find that it has ended, one of them asks for the new one. */
  const renew = <E, R>(
    url: URL,
    given: string,
    answer: Fetched,
    enter: (entrance: URL) => Effect.Effect<Fetched, E, R>
  ) =>
    entering.withPermit(
      Effect.gen(function* () {
        const names = CookieJar.namesIn(given)
        const isOurs = (cookie: string) => names.has(CookieJar.nameOf(cookie))
        const set = (answer.cookies ?? []).filter(isOurs)
        const entrance = entrances.get(url.host)
        // Otherwise another page has begun it again meanwhile, and this answer is older.
        if (admission.headerFor(url) === given) {
          if (set.length > 0) yield* admission.keep(url, set)
          const held = admission.headerFor(url) ?? ""
          const namesHeld = CookieJar.namesIn(held)
          // The host has set nothing new, or has taken back what it had set.
          const isOver = held === given || [...names].some((name) => !namesHeld.has(name))
          if (isOver && entrance !== undefined) {
            const { cookies: begun = [] } = yield* enter(entrance)
            yield* admission.keep(entrance, begun.filter(isOurs))
          }
        }
        const renewed = admission.headerFor(url)
        return renewed === given ? undefined : renewed
      })
    )

  /** The cookies to ask with once more, if the answer is one for visitors without them; undefined: the answer stands. */
  const askAgainWith = Effect.fnUntraced(function* <E, R>(
    url: URL,
    answer: Fetched,
    { before, given }: Sent,
    enter: (entrance: URL) => Effect.Effect<Fetched, E, R>
  ) {
    const { cookies = [] } = answer
    const isTurnedAway = turningAway(answer)
    if (given !== undefined) {
      const isAway =
        isTurnedAway && (cookies.length > 0 || !isRedirect(answer.status) || gates.has(gateOf(url, answer)))
      return isAway && mayTry(url.host) ? yield* renew(url, given, answer, enter) : undefined
    } else if (isTurnedAway) {
      // A page may have been on its way when another one found out that the host demands them.
      if (!demanding.has(url.host) && (before === undefined || !mayTry(url.host))) return undefined
    } else {
      if (!isIn(answer) || !carriesSession(answer, url, cookies)) return undefined
      if (!demanding.has(url.host)) yield* admit(url, cookies)
    }
    return admission.headerFor(url)
  })

  const mayTry = (host: string): boolean => {
    const count = trials.get(host) ?? 0
    if (count >= maxTrials) return false
    trials.set(host, count + 1)
    return true
  }

  const visit = (): CookieJar.CookieJar => {
    const own = CookieJar.make()
    const asked = new Set<string>()
    const set: Array<readonly [URL, ReadonlyArray<string>]> = []
    return {
      headerFor: (url) => CookieJar.joined(own.headerFor(url), demanded(url)),
      keep: own.keep,
      exchange: Effect.fnUntraced(function* (url, options, get) {
        const { host, href } = url
        const send = (theirs: string | undefined) =>
          own.exchange(url, options, (sent) => get(CookieJar.withCookies(sent, theirs)))
        const isAgain = asked.has(href)
        asked.add(href)
        const sent = { before: admission.headerFor(url), given: demanded(url) }
        const answer = yield* send(sent.given)
        if (answer.cookies !== undefined) {
          set.push([url, answer.cookies])
          if (!met.has(host)) yield* admit(url, answer.cookies)
        }
        met.add(host)
        if (isAgain) {
          if (!isIn(answer)) return answer
          for (const [from, cookies] of set) yield* admit(from, cookies)
          demanding.add(host)
          return answer
        }
        const enter = (entrance: URL) => get(anew(options), entrance)
        const theirs = yield* askAgainWith(url, answer, sent, enter)
        const other = theirs === undefined ? answer : yield* send(theirs)
        if (other === answer || !isIn(other)) return answer
        if (turningAway(answer)) gates.add(gateOf(url, answer))
        demanding.add(host)
        trials.delete(host)
        return other
      })
    }
  }
  return { visit }
}

/** What there was to send with a request, and what it was sent with. */
interface Sent {
  readonly before: string | undefined
  readonly given: string | undefined
}

/** The page that a redirect leads to, without its query. */
const gateOf = (url: URL, { location = "" }: Fetched): string => {
  const gate = URL.parse(location, url.href)
  return gate === null ? "" : gate.host + gate.pathname
}

/** As a new visitor asks. The page itself is not used. */
const anew = (options: Options): Options => {
  const { order: _, ...plain } = options
  return plain
}

/** How many pages of a host in a row are asked for once more with its cookies, for nothing. */
const maxTrials = 10

const isIn = ({ status }: Fetched): boolean => status < 400 && !isRedirect(status)

const turningAway = ({ status }: Fetched): boolean => isRedirect(status) || status === 401 || status === 403
