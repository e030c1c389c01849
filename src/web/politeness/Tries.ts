/**
 * Decides, for one job, when refused pages are requested again, until their tries are used up.
 *
 * A page is tried at most as often as its job allows, and a try counts only while its host answers other pages: while
 * the host is down, all its pages wait (`HostHealth`). A waiting page is `queued` in the ledger like a page that was
 * never requested, so a restarted service begins its tries again and loses none.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { retryAfterMillis } from "#contract/retryAfterMillis"
import { FetchError, type Options as FetchOptions, type FetchResult, maxPageBytes } from "../Fetch.ts"
import { monotonicMillis } from "../monotonicMillis.ts"
import * as Patience from "../Patience.ts"
import type { PoliteFetch } from "../PoliteFetch.ts"
import * as HostBudget from "./HostBudget.ts"
import * as HostHealth from "./HostHealth.ts"

/** The page is requested again at this time (`monotonicMillis`). */
export class Later {
  readonly _tag = "Later"
  readonly at: number
  constructor(at: number) {
    this.at = at
  }
}

/** How a page was refused: by an answer, or by an error. */
export type Refused =
  | { readonly url: URL; readonly fetched: Pick<FetchResult, "status" | "retryAfter"> }
  | { readonly error: FetchError }

export interface Tries {
  /** Runs one exchange for a page, unless its host is down. */
  readonly get: (url: URL, exchange: Exchange<FetchResult>) => Effect.Effect<FetchResult, FetchError | Later>
  /** The options of an exchange for this page, with the patience that its host still has. */
  readonly timed: (page: number, url: URL, options: FetchOptions) => FetchOptions
  /** The same for requests other than pages, which do not show that the host serves pages. */
  readonly ask: <A extends object>(url: URL, exchange: Exchange<A>) => Effect.Effect<A, FetchError | Later>
  /**
   * When a refused page is requested again, by its number or another name; undefined: it ends with its refusal. A
   * returned error replaces the refusal.
   */
  readonly again: (page: number | string, refused: Refused) => Effect.Effect<Later | FetchError | undefined>
}

type Exchange<A> = Effect.Effect<A, FetchError>

interface Options {
  readonly patience: Patience.Patience
  readonly polite: PoliteFetch["Service"]
  /** The host of the start. */
  readonly home?: string
  /** A page that an earlier process of the job received. */
  readonly answeredBefore?: URL | undefined
  /** Milliseconds between two exchanges with a host. */
  readonly delayMillis: number
}

export const start = (options: Options): Tries => {
  const { answeredBefore, home, patience } = options
  const health = HostHealth.create(patience, home)
  const budget = HostBudget.create()
  if (answeredBefore !== undefined) health.answered(answeredBefore)
  const probe = probeOf(health, options)
  /** The tries of refused pages; other pages have no entry. */
  const tried = new Map<number | string, number>()

  /** Runs the exchange, or `asProbe` if the host has been down. */
  const entering = <A>(url: URL, exchange: Exchange<A>, asProbe: Exchange<A>) =>
    Effect.flatMap(monotonicMillis, (now): Effect.Effect<A, FetchError | Later> => {
      const spent = budget.spent(url.host)
      if (spent !== undefined) return Effect.fail(tooSlow(url.href, spent))
      const entry = health.enter(url.host, now)
      switch (entry._tag) {
        case "Free":
          return exchange
        case "Probe": {
          const last = entry.last === undefined ? Effect.succeed(up) : probe(entry.last, { why: "" })
          return probing(health, url, last, asProbe)
        }
        case "Down":
          return Effect.fail(new Later(entry.until))
        case "GivenUp":
          return siteDown(url.href, entry.message)
      }
    })

  const get: Tries["get"] = (url, exchange) => {
    const watched = counted(
      budget,
      url,
      heeding(exchange, () => health.answered(url))
    )
    return entering(url, watched, watched)
  }

  const ask: Tries["ask"] = (url, exchange) =>
    entering(
      url,
      exchange,
      heeding(exchange, () => health.release(url.host))
    )

  const again: Tries["again"] = Effect.fnUntraced(function* (page, refused) {
    const now = yield* monotonicMillis
    const { host, refusal, status } = yield* described(refused)
    if (isAnswering(refused)) health.release(host)
    const first = isAnswering(refused) ? up : health.refused(host, now, refusal)
    const standing = first._tag === "Suspect" ? yield* probe(first.last, refusal) : first
    if (first._tag === "Suspect" && standing._tag === "Down") budget.forgive(host)
    // While its host is down, a page loses no try. If the host is given up, the page ends with its last refusal.
    if (standing._tag === "Down") return new Later(standing.until + behindMillis)
    if (standing._tag === "GivenUp") {
      tried.delete(page)
      return "error" in refused ? new FetchError({ ...siteDownOf(refused.error.url, standing.message) }) : undefined
    }
    budget.triedInVain(host)
    const left = leftOf(budget, host, refused)
    if (left !== undefined) return left
    const tries = (tried.get(page) ?? 0) + 1
    tried.set(page, tries)
    if (status === undefined && tries === 1) health.broke(host)
    const isFlaky = status === undefined && health.isFlaky(host)
    if (tries < Patience.triesOf(patience, isFlaky ? "flaky" : status)) {
      const wait = yield* Patience.waitAfter(patience, tries, refusal.askedMillis)
      return new Later((yield* monotonicMillis) + (isSlow(refused) ? Math.max(wait, behindSlowMillis) : wait))
    }
    tried.delete(page)
    return undefined
  })

  const timed: Tries["timed"] = (page, url, options) => ({
    ...options,
    slowAfterMillis: budget.windowOf(url.host, tried.get(page) ?? 0)
  })

  return { ask, get, timed, again }
}

/** The same, and what it costs is counted for its host. */
const counted = (budget: HostBudget.HostBudget, { host }: URL, exchange: Exchange<FetchResult>) =>
  Effect.flatMap(monotonicMillis, (began) =>
    exchange.pipe(
      Effect.tap(({ elapsedMillis = 0, status, wireBytes = 0 }) =>
        Effect.sync(() => {
          if (!Patience.isTransient(status)) budget.gave(host, elapsedMillis, wireBytes)
        })
      ),
      Effect.tapError(({ code, isAnswering }) => {
        if (code === "SCRAPE_PAGE_TOO_LARGE") budget.sentInVain(host, maxPageBytes)
        if (code !== "SCRAPE_TIMEOUT") return Effect.void
        const count = isAnswering === true ? budget.trickled : budget.waitedInVain
        return Effect.map(monotonicMillis, (now) => count(host, now - began))
      })
    )
  )

/** A host that answers slowly is not down. */
const isAnswering = (refused: Refused): boolean => "error" in refused && refused.error.isAnswering === true

const isSlow = (refused: Refused): refused is Extract<Refused, { readonly error: FetchError }> =>
  "error" in refused && refused.error.code === "SCRAPE_TIMEOUT"

/** A page that did not arrive ends if its host is in haste or spent. */
const leftOf = (budget: HostBudget.HostBudget, host: string, refused: Refused): FetchError | undefined => {
  if (!isSlow(refused)) return undefined
  const { message, url } = refused.error
  const spent = budget.spent(host)
  if (spent !== undefined) return tooSlow(url, spent)
  return refused.error.isAnswering === true && budget.isInHaste(host)
    ? tooSlow(url, HostBudget.leftInHaste(host, message))
    : undefined
}

/** The code of a page that is left, because its host has used up its time. */
export const tooSlowCode = "SCRAPE_HOST_TOO_SLOW"

const tooSlow = (url: string, message: string): FetchError =>
  new FetchError({ url, code: tooSlowCode, message, retryable: false })

/** Requests a page that the host served before; a host that breaks every second connection is not down. */
const probeOf = (health: HostHealth.HostHealth, { delayMillis, polite }: Options) =>
  Effect.fnUntraced(function* (last: URL, otherwise: HostHealth.Refusal) {
    const answer = yield* polite.get(last, { timeoutMillis: probeMillis }, delayMillis).pipe(
      Effect.retry({ times: 2, while: isBroken }),
      Effect.result,
      Effect.onError(() => Effect.sync(() => health.release(last.host)))
    )
    const now = yield* monotonicMillis
    if (answer._tag === "Failure") return health.isDown(last.host, now, { ...otherwise, why: answer.failure.message })
    const { status } = answer.success
    if (Patience.isTransient(status)) return health.isDown(last.host, now, yield* refusalOf(answer.success))
    health.answered(last)
    return up
  })

/** If the host has been down, this exchange finds out whether it still is, after its last page. */
const probing = <A>(
  health: HostHealth.HostHealth,
  url: URL,
  last: Effect.Effect<HostHealth.Standing>,
  exchange: Exchange<A>
) =>
  Effect.gen(function* () {
    const standing = yield* last
    if (standing._tag === "Down") return yield* Effect.fail(new Later(standing.until))
    if (standing._tag === "GivenUp") return yield* siteDown(url.href, standing.message)
    return yield* exchange
  }).pipe(
    Effect.onError(({ reasons }) =>
      // A refusal is passed to `again`, which needs to know that this was the probe.
      Effect.sync(() => (reasons.some(isRefusal) ? undefined : health.release(url.host)))
    )
  )

/**
 * A failure after the site has answered is not a refusal: our reader, or filling a schema, would only fail again. If a
 * browser requested the page once more, the site may be the cause.
 */
export const ofReading = <A>(
  reading: Effect.Effect<A, FetchError>,
  { needsBrowser }: { readonly needsBrowser: boolean }
): Effect.Effect<A, FetchError> =>
  Effect.mapError(reading, (error) => (needsBrowser && error.code === "SCRAPE_TIMEOUT" ? error : settled(error)))

const settled = ({ code, message, url }: FetchError): FetchError =>
  new FetchError({ url, code, message, retryable: false })

/** `onAnswer`: called if the answer is not a refusal. */
const heeding = <A extends object>(exchange: Exchange<A>, onAnswer: () => void): Exchange<A> =>
  Effect.tap(exchange, (answer) =>
    "status" in answer && typeof answer.status === "number" && Patience.isTransient(answer.status)
      ? Effect.void
      : Effect.sync(onAnswer)
  )

const up: HostHealth.Standing = { _tag: "Up" }

/** A page that the host served before arrives in this time, or the host counts as down. */
const probeMillis = 15_000

/** A refused page comes after those that were not requested yet: they may show that the host works. */
const behindMillis = 100

/** A page that did not arrive in time comes after others, which show whether its host is slow. */
const behindSlowMillis = 5000

const isRefusal = (reason: { readonly _tag: string; readonly error?: unknown }): boolean =>
  reason._tag === "Fail" && reason.error instanceof FetchError && reason.error.retryable

const isBroken = ({ code }: FetchError): boolean => code === "SCRAPE_CONNECTION_ERROR"

/** A site may name a date: this uses the wall clock. */
const refusalOf = ({ retryAfter: header, status }: Pick<FetchResult, "status" | "retryAfter">) =>
  Effect.map(
    Clock.currentTimeMillis,
    (now): HostHealth.Refusal => ({
      why: `it answers ${status}`,
      askedMillis: retryAfterMillis(header, now, Patience.maxAskedMillis)
    })
  )

interface Described {
  readonly host: string
  readonly status: number | undefined
  readonly refusal: HostHealth.Refusal
}

const described = (refused: Refused): Effect.Effect<Described> => {
  if ("fetched" in refused) {
    const { fetched, url } = refused
    return Effect.map(refusalOf(fetched), (refusal) => ({ host: url.host, status: fetched.status, refusal }))
  }
  const { message, url } = refused.error
  return Effect.succeed({ host: new URL(url).host, status: undefined, refusal: { why: message } })
}

const siteDownOf = (url: string, message: string) => ({ url, code: "SCRAPE_SITE_DOWN", message, retryable: false })

const siteDown = (url: string, message: string): Effect.Effect<never, FetchError> =>
  Effect.fail(new FetchError(siteDownOf(url, message)))
