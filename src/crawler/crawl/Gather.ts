/**
 * A search for data through pages: given ones, and those that lead on from them, the most promising first.
 *
 * Every page that enters the ledger gets exactly one end, as in a crawl; a page that the caller named is read as given,
 * any other only if robots.txt allows it; at most `limit` pages are read. Rounds make the order the same each time: the
 * best links are read side by side, then the results are weighed.
 */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import * as PageUrl from "../../api/PageUrl.ts"
import { uuid7 } from "../../api/uuid7.ts"
import * as CookieJar from "../fetch/CookieJar.ts"
import { FetchError, productToken } from "../fetch/Fetch.ts"
import { followRedirects, redirectLoop } from "../fetch/followRedirects.ts"
import { MachineFault, raise } from "../fetch/MachineFault.ts"
import type { DiscoveredUrl, Kind } from "../frontier/CrawlUrl.ts"
import * as Frontier from "../frontier/Frontier.ts"
import { PoliteFetch } from "../politeness/PoliteFetch.ts"
import { patiently, patientRules } from "../politeness/patiently.ts"
import { SiteRules } from "../politeness/SiteRules.ts"
import type { StoreError } from "../StoreError.ts"
import * as PageDocuments from "../scrape/PageDocuments.ts"
import type { ScrapePlan } from "../scrape/ScrapePlan.ts"
import { type Scraped, Scraper } from "../scrape/Scraper.ts"
import type { Turns } from "./Crawler.ts"
import { CrawlStore } from "./CrawlStore.ts"
import type { Job } from "./Job.ts"

/** A page to look at. */
export interface Lead {
  readonly url: URL
  readonly depth: number
  /** start: the caller named it. */
  readonly kind: Kind
  /** How promising it is; more is sooner. */
  readonly score: number
}

/** What a page gave: kept in the ledger as its document. */
export interface Kept {
  /** JSON text. */
  readonly document: string
  readonly credits: number
}

export interface Plan<E, R> {
  readonly scrape: ScrapePlan
  readonly concurrency: number
  readonly limit: number
  /** Where the search begins; not asked again where it goes on. */
  readonly first: Effect.Effect<ReadonlyArray<Lead>, E, R>
  /** What is made of a page. Its failure is the page's; a `FetchError` says why. */
  readonly keep: (page: Scraped, lead: Lead) => Effect.Effect<Kept, FetchError | E, R>
  /** Where a page leads on to. */
  readonly leadsOf: (page: Scraped, lead: Lead) => ReadonlyArray<Lead>
  /** Asked before each round. */
  readonly goesOn?: Effect.Effect<boolean, E | StoreError, R>
  /** Told before a page is read. */
  readonly begun?: (lead: Lead) => Effect.Effect<void, E | StoreError, R>
  /** Written with the end of a page, one at a time. */
  readonly ended?: (lead: Lead, look: Look) => Effect.Effect<void, StoreError>
}

/** A lead with its row of the ledger. */
interface Known extends Lead {
  readonly row: DiscoveredUrl
}

/** How the look at a page ended. */
export type Look =
  | { readonly state: "scraped"; readonly kept: Kept; readonly landed: URL; readonly leads: ReadonlyArray<Lead> }
  | { readonly state: "failed"; readonly code: string; readonly message: string }
  | { readonly state: "blocked" | "alias"; readonly landed: URL }

export const run = Effect.fn("Gather.run")(function* <E, R>(job: Job, plan: Plan<E, R>, turns: Turns) {
  const { readAll } = yield* make(job, plan, turns)
  yield* readAll
})

/** Begins with what the ledger has, as after a restart; else with the first leads. */
export const make = Effect.fnUntraced(function* <E, R>(job: Job, plan: Plan<E, R>, { settled, inTurn }: Turns) {
  const store = yield* CrawlStore
  const look = yield* lookings(job, plan)
  const writing = yield* Semaphore.make(1)
  const frontier = Frontier.make(PageUrl.plainly(false))
  const known = yield* everyUrl(job.id)
  frontier.remember(known)
  frontier.reclaim(known)
  let waiting: Array<Known> = known
    .filter(({ state }) => state === "queued")
    .map((row) => ({ url: new URL(row.url), depth: row.depth, kind: row.kind, score: 0, row }))
  let pages = yield* store.count(job.id)

  let entered = known.length
  const enter = (leads: ReadonlyArray<Lead>): ReadonlyArray<Known> =>
    leads.flatMap((lead) => {
      const row = entered < maxKnown ? frontier.discover(lead.url, lead.depth, lead.kind) : undefined
      if (row === undefined) return []
      entered += 1
      return [{ ...lead, row }]
    })

  const settle = Effect.fnUntraced(function* (lead: Known, end: Look) {
    const { seq, key, url } = lead.row
    const found = end.state === "scraped" ? enter(end.leads) : []
    const landedKey = "landed" in end ? PageUrl.key(end.landed, false) : key
    const own = { seq, state: end.state, landedKey, discovered: found.map(({ row }) => row) }
    const failures = end.state === "failed" ? [{ id: uuid7(), url, code: end.code, error: end.message }] : []
    const page =
      end.state === "scraped" ? { page: { seq: pages, ...end.kept, bytes: Buffer.byteLength(end.kept.document) } } : {}
    const also = plan.ended === undefined ? {} : { also: plan.ended(lead, end) }
    yield* store.settle(job.id, [{ ...own, failures, ...page, ...also }])
    if (end.state === "scraped") pages += 1
    waiting.push(...found)
  })

  const visit = Effect.fnUntraced(function* (lead: Known) {
    if (plan.begun !== undefined) yield* plan.begun(lead)
    const end = yield* inTurn(look(lead, frontier))
    yield* Effect.uninterruptible(writing.withPermits(1)(settle(lead, end)))
    yield* settled
    return end
  })

  const discover = Effect.fnUntraced(function* (leads: ReadonlyArray<Lead>) {
    const entered = enter(leads)
    yield* store.discover(
      job.id,
      entered.map(({ row }) => row)
    )
    return entered
  })

  /** More pages for `readAll`, beside those that are known. */
  const offer = (leads: ReadonlyArray<Lead>) => Effect.map(discover(leads), (entered) => void waiting.push(...entered))

  /** A page that was entered and not read, as before a restart. */
  const takeWaiting = ({ url }: Lead): Known | undefined => {
    const key = PageUrl.key(url, false)
    const at = waiting.findIndex(({ row }) => row.key === key)
    return at === -1 ? undefined : waiting.splice(at, 1)[0]
  }

  /** Reads one page, as whoever drives the search likes; undefined: the page has ended already. */
  const read = Effect.fnUntraced(function* (lead: Lead) {
    const next = takeWaiting(lead) ?? (yield* discover([lead]))[0]
    return next === undefined ? undefined : yield* visit(next)
  })

  /** Reads what is known, round by round, until nothing is left, enough is read or `goesOn` says no. */
  const readAll = Effect.gen(function* () {
    for (;;) {
      const room = plan.limit - pages
      if (waiting.length === 0 || room <= 0) return
      if (plan.goesOn !== undefined && !(yield* plan.goesOn)) return
      waiting.sort((a, b) => b.score - a.score || a.row.seq - b.row.seq)
      const round = waiting.splice(0, Math.min(room, plan.concurrency * roundsOf))
      yield* Effect.forEach(round, visit, { concurrency: plan.concurrency, discard: true })
    }
  })

  if (frontier.isNew()) waiting = [...(yield* discover(yield* plan.first))]
  return { read, readAll, offer }
})

/** Pages that one search knows at most: many times what it reads, however many links its pages have. */
const maxKnown = 50_000

/** Pages that each worker reads before what they brought is weighed. */
const roundsOf = 2

const everyUrl = Effect.fnUntraced(function* (jobId: string) {
  const store = yield* CrawlStore
  const all: Array<DiscoveredUrl> = []
  for (;;) {
    const some = yield* store.urls(jobId, all.at(-1)?.seq ?? -1, batchSize)
    all.push(...some)
    if (some.length < batchSize) return all
  }
})

/** How many URLs of the ledger are read at a time. */
const batchSize = 2000

/** A page that is not read after all: how a chain of redirects is cut short. */
class Cut {
  readonly _tag = "Cut"
  readonly look: Look
  constructor(look: Look) {
    this.look = look
  }
}

/** Whose host is nobody's. */
const nowhere = new URL("https://nowhere.invalid/")

/** How the pages of this job are looked at. */
const lookings = Effect.fnUntraced(function* <E, R>(job: Job, plan: Plan<E, R>) {
  const polite = yield* PoliteFetch
  const siteRules = yield* SiteRules
  const scraper = yield* Scraper
  const jar = CookieJar.make()
  /** Pages that the caller named, by their hosts: the caller's headers are for these. */
  const homes = new Map<string, URL>()
  const homeOf = ({ kind, url }: Lead): URL => {
    if (kind === "start") homes.set(url.host, url)
    return homes.get(url.host) ?? homes.values().next().value ?? nowhere
  }

  /** Milliseconds between two exchanges with the page's host; a page that may not be read is cut. */
  const permit = Effect.fnUntraced(function* ({ kind }: Lead, url: URL) {
    if (kind === "start") return 0
    const robots = yield* patientRules(siteRules.of(url))
    if (!robots.allows(url.href, productToken)) return yield* Effect.fail(new Cut({ state: "blocked", landed: url }))
    return Math.min(60, robots.crawlDelay(productToken) ?? 0) * 1000
  })

  const read = Effect.fnUntraced(function* (lead: Known, frontier: Frontier.Frontier) {
    const delayMillis = yield* permit(lead, lead.url)
    const keeps = (plan.scrape.options.maxAge ?? 0) > 0
    const home = homeOf(lead)
    const asked = { url: lead.row.url, scrapeId: uuid7(), teamId: job.teamId, keeps, delayMillis, home }
    const copy = yield* scraper.kept(plan.scrape, asked)
    // A copy of a page that redirected may lead where this job does not go: it is fetched, and judged hop by hop.
    if (copy?.document.metadata.url === lead.url.href) return { page: copy, landed: lead.url }
    const get = (hop: URL) =>
      patiently(
        jar.exchange(hop, PageDocuments.fetchOptions(plan.scrape, home, hop), (options) =>
          polite.get(hop, options, delayMillis)
        )
      )
    const follow = Effect.fnUntraced(function* (next: URL) {
      yield* permit(lead, next)
      const claim = frontier.claim(next, lead.row.seq)
      if (claim === "other") return yield* Effect.fail(new Cut({ state: "alias", landed: next }))
      if (claim === "loop") {
        const message = redirectLoop(next)
        return yield* Effect.fail(new Cut({ state: "failed", code: "SCRAPE_REDIRECT_LOOP", message }))
      }
    })
    const landed = yield* followRedirects(lead.url, get, follow, jar)
    return { page: yield* scraper.scrape(landed, plan.scrape, asked), landed: landed.url }
  })

  return Effect.fnUntraced(
    function* (lead: Known, frontier: Frontier.Frontier) {
      const { landed, page } = yield* read(lead, frontier)
      const kept = yield* plan.keep(page, lead)
      const end: Look = { state: "scraped", kept, landed, leads: plan.leadsOf(page, lead) }
      return end
    },
    (look, lead) =>
      look.pipe(
        Effect.catchIf(
          (error): error is Cut => error instanceof Cut,
          ({ look }) => Effect.succeed(look)
        ),
        Effect.catchIf(
          (error): error is FetchError => error instanceof FetchError,
          ({ code, message }) => Effect.map(raise({ code, message }), (): Look => ({ state: "failed", code, message }))
        ),
        // A page that trips our own reader costs that page, not the job.
        Effect.catchDefect((defect) =>
          defect instanceof MachineFault
            ? Effect.die(defect)
            : Effect.succeed<Look>({ state: "failed", code: "SCRAPE_UNKNOWN_ERROR", message: String(defect) })
        ),
        Effect.annotateLogs("url", lead.row.url)
      )
  )
})
