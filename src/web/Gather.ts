/**
 * A search for data: it reads the given pages and those that they lead to, the most promising first.
 *
 * Every page that enters the ledger gets exactly one end, as in a crawl. A page that the caller named is read as given,
 * any other only if robots.txt allows it. At most `limit` pages are read. Rounds make the order reproducible: the best
 * links are read side by side, then their results are ranked.
 */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import * as PageUrl from "#contract/PageUrl"
import { uuid7 } from "#contract/uuid7"
import { CrawlStore, everyUrl } from "./CrawlStore.ts"
import type { DiscoveredUrl } from "./CrawlUrl.ts"
import * as suspects from "./crawl/suspects.ts"
import * as Frontier from "./frontier/Frontier.ts"
import type { Job } from "./Job.ts"
import type { Known, Lead, Look, RetainedPage } from "./LeadVisit.ts"
import * as LeadVisit from "./LeadVisit.ts"
import type { StoreError } from "./StoreError.ts"
import { OutOfCredits, type Price, type Turns } from "./Turns.ts"

export type { Known, Lead, Look, RetainedPage }

/** What is searched for, how far, and who is notified on the way. */
export interface Plan<E, R> extends LeadVisit.Plan<E, R> {
  readonly concurrency: number
  readonly limit: number
  /** Where the search begins; not evaluated if the search is continued. */
  readonly first: Effect.Effect<ReadonlyArray<Lead>, E, R>
  /** Evaluated before each round; false ends the search. */
  readonly goesOn?: Effect.Effect<boolean, E | StoreError, R>
  /** Called before a page is read. */
  readonly begun?: (lead: Lead) => Effect.Effect<void, E | StoreError, R>
  /** Called one at a time, with the end of a page. */
  readonly ended?: (lead: Lead, look: Look) => Effect.Effect<void, StoreError>
}

/** The pages of one extract or agent in flight: more would be read before the best of them are known. */
export const pagesAtOnce = 8

export const run = Effect.fn("Gather.run")(function* <E, R>(job: Job, plan: Plan<E, R>, turns: Turns) {
  const { readAll } = yield* start(job, plan, turns)
  yield* readAll
})

/** Continues from the ledger after a restart, otherwise begins with the first leads. */
export const start = Effect.fnUntraced(function* <E, R>(job: Job, plan: Plan<E, R>, { settled, inTurn }: Turns) {
  const store = yield* CrawlStore
  const writing = yield* Semaphore.make(1)
  const frontier = Frontier.open(PageUrl.plainly(false))
  const carefully = suspects.start(store, job.id)
  const look = yield* LeadVisit.prepare(job.teamId, plan, frontier)
  const known: Array<DiscoveredUrl> = []
  yield* everyUrl(store, job.id, (some) => void known.push(...some))
  frontier.remember(known)
  frontier.reclaim(known)
  const leads = new Leads(frontier, known)
  let pages = yield* store.count(job.id)

  const settle = Effect.fnUntraced(function* (lead: Known, end: Look) {
    const { seq, key, url } = lead.row
    const newLeads = end.state === "scraped" ? leads.enter(end.leads) : []
    const landedKey = "landed" in end ? PageUrl.key(end.landed, false) : key
    const own = { seq, state: end.state, landedKey, discovered: newLeads.map(({ row }) => row) }
    const failures = end.state === "failed" ? [{ id: uuid7(), url, code: end.code, error: end.message }] : []
    const page = end.state === "scraped" ? { page: { seq: pages, ...end.retained } } : {}
    const also = plan.ended === undefined ? {} : { also: plan.ended(lead, end) }
    yield* store.settle(job.id, [{ ...own, failures, ...page, ...also }])
    if (end.state === "scraped") pages += 1
    leads.waiting.push(...newLeads)
  })

  const visit = Effect.fnUntraced(function* (lead: Known) {
    if (plan.begun !== undefined) yield* plan.begun(lead)
    const end = yield* inTurn(carefully(lead.row, look(lead)), price)
    yield* Effect.uninterruptible(writing.withPermits(1)(settle(lead, end)))
    yield* settled
    return end
  })

  const discover = Effect.fnUntraced(function* (some: ReadonlyArray<Lead>) {
    const entered = leads.enter(some)
    yield* store.discover(
      job.id,
      entered.map(({ row }) => row)
    )
    return entered
  })

  /** Adds pages for `readAll`. */
  const offer = (some: ReadonlyArray<Lead>) =>
    Effect.map(discover(some), (entered) => void leads.waiting.push(...entered))

  /** Reads one page on request; undefined: the page has ended already. */
  const read = Effect.fnUntraced(function* (lead: Lead) {
    const next = leads.takeWaiting(lead) ?? (yield* discover([lead]))[0]
    return next === undefined ? undefined : yield* visit(next)
  })

  /** Reads the known pages, round by round, until none is left, the limit is reached or `goesOn` is false. */
  const readAll = Effect.gen(function* () {
    let isOut = false
    // Without credits no page is begun; those in flight are kept.
    const orNot = (lead: Known) =>
      Effect.catchTag(visit(lead), "OutOfCredits", () => Effect.sync(() => void (isOut = true)))
    for (;;) {
      const room = plan.limit - pages
      if (leads.waiting.length === 0 || room <= 0) return
      if (plan.goesOn !== undefined && !(yield* plan.goesOn)) return
      const round = leads.takeBest(Math.min(room, plan.concurrency * roundsOf))
      yield* Effect.forEach(round, orNot, { concurrency: plan.concurrency, discard: true })
      if (isOut) return yield* new OutOfCredits()
    }
  })

  if (frontier.isNew()) leads.waiting = [...(yield* discover(yield* plan.first))]
  return { read, readAll, offer }
})

/** The pages that are known and not read yet. */
class Leads {
  waiting: Array<Known>
  private readonly frontier: Frontier.Frontier
  private entered: number

  constructor(frontier: Frontier.Frontier, known: ReadonlyArray<DiscoveredUrl>) {
    this.frontier = frontier
    this.entered = known.length
    this.waiting = known
      .filter(({ state }) => state === "queued")
      .map((row) => ({ url: new URL(row.url), depth: row.depth, kind: row.kind, score: 0, row }))
  }

  /** Which of these are new, with their entries of the ledger. */
  enter(leads: ReadonlyArray<Lead>): ReadonlyArray<Known> {
    return leads.flatMap((lead) => {
      const row = this.entered < maxKnown ? this.frontier.discover(lead.url, lead.depth, lead.kind) : undefined
      if (row === undefined) return []
      this.entered += 1
      return [{ ...lead, row }]
    })
  }

  /** A page that was entered and not read, as before a restart. */
  takeWaiting({ url }: Lead): Known | undefined {
    const key = PageUrl.key(url, false)
    const at = this.waiting.findIndex(({ row }) => row.key === key)
    return at === -1 ? undefined : this.waiting.splice(at, 1)[0]
  }

  takeBest(count: number): ReadonlyArray<Known> {
    this.waiting.sort(byPromise)
    return this.waiting.splice(0, count)
  }
}

/** The order is independent of arrival: by score, then by depth, then as given, and links by URL. */
const byPromise = (a: Known, b: Known): number =>
  b.score - a.score ||
  a.depth - b.depth ||
  (a.depth === 0 ? a.row.seq - b.row.seq : PageUrl.compare(a.row.url, b.row.url))

const price: Price<Look> = {
  least: 1,
  of: (look) => (look.state === "scraped" ? look.retained.credits : 0),
  later: (look) => (look.state === "scraped" ? (look.retained.laterCredits ?? 0) : 0)
}

/** The maximum number of pages that one search knows, many times what it reads. */
const maxKnown = 50_000

/** How many pages each worker reads before their results are ranked. */
const roundsOf = 2
