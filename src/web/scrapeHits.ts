/**
 * Scrapes the results of a search with the options of the request.
 *
 * A result that cannot be scraped stays, with a warning that says why. The scrape of a result costs what every scrape
 * costs, waits for its team's turn, and is stored like every scrape. All end at the timeout of the search.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { PaymentRequired } from "#contract/Errors"
import type { PageDocument } from "#contract/PageDocument"
import { uuid7 } from "#contract/uuid7"
import * as CookieJar from "./CookieJar.ts"
import { FetchError } from "./Fetch.ts"
import { followRedirects } from "./followRedirects.ts"
import * as PageDocuments from "./PageDocuments.ts"
import { PoliteFetch } from "./PoliteFetch.ts"
import { patiently } from "./patiently.ts"
import type { ScrapePlan } from "./ScrapePlan.ts"
import { Scraper, timedOut } from "./Scraper.ts"
import { ScrapeStore } from "./ScrapeStore.ts"
import type { StoreError } from "./StoreError.ts"

/** The content of a result: a document, or the reason why there is none. */
export type Content =
  | { readonly document: PageDocument }
  | { readonly warning: string; readonly isUnreachable: boolean }

export interface HitsRequest {
  readonly teamId: string
  readonly plan: ScrapePlan
  /** When the search must end, in milliseconds since the epoch. */
  readonly end: number
  /** Runs the work of one page when it is the team's turn. */
  readonly inTurn: <A, E, R>(page: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Reserves the minimum cost of a page, and charges its cost. */
  readonly pay: <A, E, R>(
    credits: number,
    page: Effect.Effect<{ readonly value: A; readonly credits: number }, E, R>
  ) => Effect.Effect<A, E | PaymentRequired | StoreError, R>
}

/** The contents are in the order of the URLs. */
export const scrapeHits = Effect.fn("scrapeHits")(function* (urls: ReadonlyArray<string>, request: HitsRequest) {
  return yield* Effect.forEach(
    urls,
    (url) =>
      request.inTurn(content(url, request)).pipe(
        Effect.catchTags({
          FetchError: ({ code, message }) =>
            Effect.succeed<Content>({ warning: `not scraped: ${message}`, isUnreachable: unreachable.has(code) }),
          PaymentRequired: ({ message }) =>
            Effect.succeed<Content>({ warning: `not scraped: ${message}`, isUnreachable: false })
        })
      ),
    { concurrency: together }
  )
})

const together = 8

const content = Effect.fnUntraced(function* (url: string, { end, pay, plan, teamId }: HitsRequest) {
  const polite = yield* PoliteFetch
  const scraper = yield* Scraper
  const store = yield* ScrapeStore
  const millis = Math.min(plan.timeoutMillis, end - (yield* Clock.currentTimeMillis))
  if (millis <= 0) return yield* over(url)
  const start = new URL(url)
  const order = { url, scrapeId: uuid7(), teamId, keeps: true, delayMillis: 0 }
  const jar = CookieJar.empty()
  const get = (hop: URL) =>
    patiently(jar.exchange(hop, PageDocuments.fetchOptions(plan, start, hop), (options) => polite.get(hop, options, 0)))
  const scraped = Effect.gen(function* () {
    const copy = yield* scraper.copyOf(plan, order)
    if (copy !== undefined) return copy
    const landed = yield* followRedirects(start, get, () => Effect.void, jar)
    return yield* scraper.scrape(landed, plan, order)
  })
  const timely = Effect.timeoutOrElse(scraped, {
    duration: Duration.millis(millis),
    orElse: () => (millis < plan.timeoutMillis ? over(url) : timedOut(url, plan.timeoutMillis))
  })
  const priced = Effect.map(timely, ({ document }) => ({
    value: document,
    credits: PageDocuments.creditsOf(document)
  }))
  const document = yield* pay(PageDocuments.leastCredits(plan), priced)
  if (plan.keepsNothing !== true) yield* store.keepResult(teamId, order.scrapeId, JSON.stringify(document))
  const hitContent: Content = { document }
  return hitContent
})

const over = (url: string): FetchError =>
  new FetchError({ url, code: "SCRAPE_TIMEOUT", message: "the timeout of the search was reached", retryable: true })

/** The codes of results that no other operation could read either. */
const unreachable = new Set(["SCRAPE_ADDRESS_BLOCKED", "SCRAPE_DNS_RESOLUTION_ERROR"])
