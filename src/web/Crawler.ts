/**
 * One crawl, from its start URL to its last page.
 *
 * The path of a page: it is taken from the backlog if the limit has room, and visited. Its document, its end and its
 * links are written in one transaction, together with those of pages that ended at the same moment. Then its links are
 * queued. Guarantee: every URL that enters the ledger gets exactly one end. A crawl ends when no URL is left or the limit
 * is reached; interrupting it stops its requests.
 *
 * It reads level by level (`LevelProgress`).
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { agentOf, type CrawlPlan } from "./CrawlPlan.ts"
import * as Scope from "./CrawlScope.ts"
import { CrawlStore } from "./CrawlStore.ts"
import type { DiscoveredUrl } from "./CrawlUrl.ts"
import * as LedgerWriter from "./crawl/LedgerWriter.ts"
import * as LevelProgress from "./crawl/LevelProgress.ts"
import * as Levels from "./crawl/Levels.ts"
import * as ListedPages from "./crawl/ListedPages.ts"
import * as NamedFiles from "./crawl/NamedFiles.ts"
import * as Placing from "./crawl/Placing.ts"
import * as Settlements from "./crawl/Settlements.ts"
import * as suspects from "./crawl/suspects.ts"
import type { FetchError } from "./Fetch.ts"
import * as Backlog from "./frontier/Backlog.ts"
import * as Frontier from "./frontier/Frontier.ts"
import * as Line from "./frontier/Line.ts"
import type { Job } from "./Job.ts"
import { JobStore } from "./JobStore.ts"
import { monotonicMillis } from "./monotonicMillis.ts"
import * as PageDocuments from "./PageDocuments.ts"
import type { Visit } from "./PageVisit.ts"
import * as PageVisit from "./PageVisit.ts"
import * as PathFilter from "./PathFilter.ts"
import { PoliteFetch } from "./PoliteFetch.ts"
import * as PutAside from "./politeness/PutAside.ts"
import { persistentFile, persistentRules } from "./politeness/persistently.ts"
import * as Robots from "./politeness/Robots.ts"
import type { Later } from "./politeness/Tries.ts"
import * as Tries from "./politeness/Tries.ts"
import type { Scraper } from "./Scraper.ts"
import * as SitemapWalk from "./SitemapWalk.ts"
import { SiteRules } from "./SiteRules.ts"
import type { StoreError } from "./StoreError.ts"
import type { Turns } from "./Turns.ts"

/** Runs a job from the beginning, or continues it from its ledger. */
export const run = Effect.fn("Crawler.run")(function* (
  job: Job,
  plan: CrawlPlan,
  { settled, inTurn }: Turns
): Effect.fn.Return<
  void,
  PageVisit.StartFailed | StoreError,
  CrawlStore | JobStore | PoliteFetch | Scraper | SiteRules
> {
  const store = yield* CrawlStore
  const jobs = yield* JobStore
  const polite = yield* PoliteFetch
  const siteRules = yield* SiteRules
  const { rules } = plan
  const start = rules.start
  const had = (yield* store.count(job.id)) > 0 ? start : undefined
  const triesAt = (delayMillis: number) =>
    Tries.start({ patience: plan.patience, polite, home: start.host, had, delayMillis })

  const orStartFailed = Effect.mapError(
    (error: FetchError) => new PageVisit.StartFailed({ message: `${start.href}: ${error.message}` })
  )
  const robots = plan.ignoreRobotsTxt
    ? undefined
    : yield* persistentRules(triesAt(0), start, siteRules.of(start, plan.scrape.options)).pipe(orStartFailed)
  const delayMillis = Robots.delayMillis(robots, agentOf(plan))
  const tries = triesAt(delayMillis)
  const paced = ownPace(plan.delayMillis)
  const workers = delayMillis > 0 || plan.delayMillis > 0 ? 1 : plan.concurrency

  const { settling } = plan
  if (settling !== undefined) yield* store.identity.hold(job.id)
  const hasRoutes = settling !== undefined && (yield* store.identity.hasRoutes(job.id))
  const frontier = Frontier.open(
    hasRoutes ? { ...plan.identity, routes: true } : plan.identity,
    settling === undefined ? "order" : "identity"
  )
  const line = Line.create()
  const everyKnown = Effect.fnUntraced(function* (use: (known: ReadonlyArray<DiscoveredUrl>) => void) {
    let known: ReadonlyArray<DiscoveredUrl> = []
    do {
      known = yield* store.urls(job.id, known.at(-1)?.seq ?? -1, batchSize)
      use(known)
    } while (known.length === batchSize)
  })
  yield* everyKnown(frontier.remember)
  yield* everyKnown(frontier.reclaim)
  yield* everyKnown(line.enter)
  const first = frontier.isNew() ? frontier.discover(start, 0, "start") : undefined
  if (first !== undefined) {
    line.enter([first])
    yield* store.discover(job.id, [first])
  }

  const finished = yield* Deferred.make<void, PageVisit.StartFailed | StoreError>()
  /** URLs are numbered, written and queued by one fiber at a time. */
  const writing = yield* Semaphore.make(1)
  const backlog = yield* Backlog.create((after, limit, depth) => store.waiting(job.id, after, limit, depth), writing)
  const putAside = yield* PutAside.open(backlog.giveBack)
  const warn = (message: string) => jobs.warn(job.id, message)
  const { sample, visit } = yield* PageVisit.prepare({ job, plan, frontier, tries })
  const named = NamedFiles.create((url) => Effect.interruptible(sample(url)))
  yield* everyKnown(named.enter)
  const counts = yield* store.ledger(job.id)
  const room = yield* Semaphore.make(Math.max(0, plan.limit - counts.scraped))
  const writer = LedgerWriter.create({
    job,
    store,
    frontier,
    line,
    named,
    writing,
    counts: { scraped: counts.scraped, documents: counts.scraped - (counts.revalidated ?? 0) },
    settlementOf: (ended, pages) => settlementOf(ended, pages),
    enqueue: (urls) => progress.enqueue(urls),
    visitWhole: (item) => visit(item, "whole")
  })
  const levels = Levels.create({ job, plan, frontier, line, store, warn, ...writer })
  const progress = LevelProgress.start({
    backlog,
    line,
    levels,
    writing,
    waitsForSitemaps: settling !== undefined,
    isFull: () => writer.scraped() >= plan.limit,
    finished
  })
  /**
   * Completed when the start has ended. Pages of sitemaps wait for this: if the start redirects to one of them, that
   * page is the start's.
   */
  const startEnded = yield* Deferred.make<void>()
  if (line.waitingAt(0) === 0 || !line.isFirstWaiting()) yield* Deferred.succeed(startEnded, undefined)

  const filtered = linkFilter(rules, (message) => jobs.warn(job.id, message))
  const settlementOf = Settlements.of({ rules: filtered.rules, frontier, line, levels })
  const price = { least: PageDocuments.leastCredits(plan.scrape), of: Settlements.creditsOf }
  const carefully = suspects.start(store, job.id)
  const visitAndMatch = (item: DiscoveredUrl) =>
    Effect.flatMap(visit(item, "changed"), (end) => filtered.ofVisit(item, end))
  const read = (item: DiscoveredUrl) => carefully(item, visitAndMatch(item))
  /** Pages that are visited and whose end is not written yet. */
  let busy = 0
  let isOut = false
  const left = Effect.suspend(() => {
    busy -= 1
    return isOut && busy === 0 ? Deferred.succeed(finished, undefined) : Effect.void
  })
  /** Without credits no page is begun, and the crawl ends after those in flight. */
  const park = Effect.suspend(() => {
    isOut = true
    return Effect.andThen(left, Effect.never)
  })

  const work = Effect.gen(function* () {
    const item = yield* backlog.take
    yield* room.take(1)
    frontier.begin(item.seq)
    busy += 1
    const reading = paced(new URL(item.url).host, inTurn(read(item), price))
    const end = yield* Effect.catchTag(reading, "OutOfCredits", () => park)
    if (end._tag === "Later") {
      yield* room.release(1)
      // If the start is refused, the pages of the sitemaps go ahead: they show whether the host works.
      if (item.kind === "start") yield* Deferred.succeed(startEnded, undefined)
      yield* left
      yield* store.putBack(job.id, item.seq)
      return yield* putAside(item, end.at)
    }
    if (item.kind === "start" && end.hasRoutes === true && settling !== undefined) {
      frontier.change({ ...frontier.identity(), routes: true })
      yield* store.identity.keepRoutes(job.id)
    }
    yield* Effect.uninterruptible(writer.settle({ item, end }))
    line.leave([item.seq])
    if (item.kind === "start") yield* Deferred.succeed(startEnded, undefined)
    if (end.state !== "scraped") yield* room.release(1)
    yield* settled
    yield* left
    yield* progress.ended
  })

  const enter = ListedPages.create({ job, rules: filtered.rules, store, frontier, named, progress, writing })
  const { skipTlsVerification = false } = plan.scrape.options
  const sitemaps = SitemapWalk.walk({
    from: SitemapWalk.candidates(start, robots?.sitemaps ?? []),
    listed: (url, lastmod) => plan.revalidation?.listed(url, lastmod),
    get: (url, options) =>
      paced(url.host, persistentFile(tries, url, polite.get(url, { ...options, skipTlsVerification }, delayMillis))),
    found: (urls) => Effect.andThen(Deferred.await(startEnded), Effect.flatMap(filtered.passing(urls), enter)),
    problem: (message) => jobs.warn(job.id, message)
  })

  yield* Effect.scoped(
    Effect.gen(function* () {
      const orFail = <A, R>(effect: Effect.Effect<A, PageVisit.StartFailed | StoreError, R>) =>
        Effect.catchCause(effect, (cause) => Deferred.failCause(finished, cause))
      yield* Effect.forEach(Array.from({ length: workers }), () => Effect.forkScoped(orFail(Effect.forever(work))))
      yield* Effect.forkScoped(
        orFail(Effect.andThen(plan.sitemap === "skip" ? Effect.void : sitemaps, progress.sitemapsRead))
      )
      yield* Deferred.await(finished)
    })
  )
  yield* levels.report
  if (settling !== undefined)
    yield* Placing.place({ job, frontier, store: store.identity, settling, readWhole: writer.readWhole })
})

/** How many URLs of the ledger are read at a time. */
const batchSize = 2000

/**
 * The links of a crawl that pass its path filters.
 *
 * Many patterns on many links take long, so the filters run before anything is written, and they yield to other work.
 * The returned `rules` have no filters, because the links have passed them.
 */

/** `warn` adds a warning to the job; a repeated one is ignored. */
export const linkFilter = <E, R>(rules: Scope.Rules, warn: (message: string) => Effect.Effect<void, E, R>) => {
  const passing = Effect.fnUntraced(function* (links: ReadonlyArray<string>) {
    const { links: some, tooLong: count } = yield* rules.filter.passing(links)
    if (count > 0) yield* warn(tooLong)
    return some
  })

  /** A visit with the links that pass. Links beyond the maximum depth are not matched at all. */
  const ofVisit = Effect.fnUntraced(function* (item: DiscoveredUrl, end: Visit | Later) {
    const { maxDiscoveryDepth = Number.POSITIVE_INFINITY } = rules
    if (end._tag === "Later" || end.links.length === 0 || item.depth >= maxDiscoveryDepth) return end
    return { ...end, links: yield* passing(end.links) }
  })

  const unfiltered: Scope.Rules = { ...rules, filter: PathFilter.everything }
  return { passing, ofVisit, rules: unfiltered }
}

const tooLong = "some links were not followed: their addresses are too long for patterns as large as those of the crawl"

/**
 * The delay that a job asks for: from the end of one of its pages to the start of its next of the same host.
 *
 * Guarantee: it binds this job alone. The job waits by itself, and meanwhile holds nothing that others wait for: no turn of a
 * host, and no place of a team. What the site asks for binds all, and is kept by `Politeness`.
 */
const ownPace = (delayMillis: number) => {
  const hosts = new Map<string, { readonly turn: Semaphore.Semaphore; next: number }>()

  const take = Effect.fnUntraced(function* <A, E, R>(name: string, work: Effect.Effect<A, E, R>) {
    const host = hosts.get(name) ?? { turn: Semaphore.makeUnsafe(1), next: 0 }
    hosts.set(name, host)
    const paced = Effect.gen(function* () {
      const left = host.next - (yield* monotonicMillis)
      if (left > 0) yield* Effect.sleep(left)
      return yield* work
    })
    const ended = Effect.map(monotonicMillis, (now) => {
      host.next = now + delayMillis
    })
    return yield* host.turn.withPermits(1)(Effect.ensuring(paced, ended))
  })

  /** Does the work when the job may ask the host again. */
  return <A, E, R>(host: string, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    delayMillis > 0 ? take(host, work) : work
}
