/**
 * One crawl, from its start URL to its last page: a state machine of the crawl, and one of each of its pages.
 *
 *     the crawl:  restored ──▶ reading a level ──▶ between two levels ──▶ … ──▶ placed
 *                 (Ledger)      (LevelProgress)         (Levels)               (Placing)
 *
 *     a page:     queued ──▶ in flight ──▶ settled: its document, its end and its links are written, then its links queued
 *                   ▲            │
 *                   └─ put aside ┘  its host refuses it for now
 *
 * Pages that end at the same moment are written in one transaction. Guarantee: every URL that enters the ledger gets exactly
 * one end. A crawl ends when no URL is left, the limit is reached, or no credits are left; interrupting it stops its
 * requests.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import * as PageUrl from "#contract/PageUrl"
import { uuid7 } from "#contract/uuid7"
import { type CrawlPlan, namesOf } from "./CrawlPlan.ts"
import * as Scope from "./CrawlScope.ts"
import { CrawlStore, everyUrl } from "./CrawlStore.ts"
import type { DiscoveredUrl, Failure } from "./CrawlUrl.ts"
import * as LedgerWriter from "./crawl/LedgerWriter.ts"
import * as LevelProgress from "./crawl/LevelProgress.ts"
import * as Levels from "./crawl/Levels.ts"
import * as NamedFiles from "./crawl/NamedFiles.ts"
import * as Placing from "./crawl/Placing.ts"
import * as Settlements from "./crawl/Settlements.ts"
import * as suspects from "./crawl/suspects.ts"
import type { FetchError, FetchResult } from "./Fetch.ts"
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
import * as Patience from "./Patience.ts"
import { PoliteFetch } from "./PoliteFetch.ts"
import * as PutAside from "./politeness/PutAside.ts"
import * as Robots from "./politeness/Robots.ts"
import * as Tries from "./politeness/Tries.ts"
import { Later, type Refused } from "./politeness/Tries.ts"
import type { Scraper } from "./Scraper.ts"
import * as SitemapWalk from "./SitemapWalk.ts"
import { SiteRules } from "./SiteRules.ts"
import type { StoreError } from "./StoreError.ts"
import type { Turns } from "./Turns.ts"
import { notAPage } from "./visitedPages.ts"

/** Runs a job from the beginning, or continues it from its ledger. */
export const run = Effect.fn("Crawler.run")(function* (
  job: Job,
  plan: CrawlPlan,
  turns: Turns
): Effect.fn.Return<
  void,
  PageVisit.StartFailed | StoreError,
  CrawlStore | JobStore | PoliteFetch | Scraper | SiteRules
> {
  const site = yield* siteOf(job, plan)
  const crawl = yield* open(job, plan, site)
  yield* Effect.scoped(readAll(crawl, turns))
  yield* crawl.levels.report
  const { frontier, store, writer } = crawl
  const { settling } = plan
  if (settling !== undefined)
    yield* Placing.place({ job, frontier, store: store.identity, settling, readWhole: writer.readWhole })
})

/** How the site of the start is requested: its robots.txt, its delay, and how often a refused request is tried again. */
const siteOf = Effect.fnUntraced(function* (job: Job, plan: CrawlPlan) {
  const store = yield* CrawlStore
  const polite = yield* PoliteFetch
  const siteRules = yield* SiteRules
  const { start } = plan.rules
  const answeredBefore = (yield* store.count(job.id)) > 0 ? start : undefined
  const triesAt = (delayMillis: number) =>
    Tries.start({ patience: plan.patience, polite, home: start.host, answeredBefore, delayMillis })
  const robots = plan.ignoreRobotsTxt
    ? undefined
    : yield* persistentRules(triesAt(0), start, siteRules.of(start, plan.scrape.options)).pipe(
        Effect.mapError((error) => new PageVisit.StartFailed({ message: `${start.href}: ${error.message}` }))
      )
  const names = yield* namesOf(plan)
  const delayMillis = Robots.sharedDelayMillis(robots, names)
  const ruledMillis = Robots.delayMillis(robots, names.ruled)
  const ownDelayMillis = ruledMillis > delayMillis ? ruledMillis : 0
  return { robots, polite, delayMillis, ownDelayMillis, tries: triesAt(delayMillis) }
})

type Site = Effect.Success<ReturnType<typeof siteOf>>
type Crawl = Effect.Success<ReturnType<typeof open>>

/** The parts of a crawl, as its ledger says where it stands. */
const open = Effect.fnUntraced(function* (job: Job, plan: CrawlPlan, site: Site) {
  const store = yield* CrawlStore
  const { warn } = yield* JobStore
  const { frontier, line } = yield* restored(job, plan)
  const finished = yield* Deferred.make<void, PageVisit.StartFailed | StoreError>()
  /** URLs are numbered, written and queued by one fiber at a time. */
  const writing = yield* Semaphore.make(1)
  const backlog = yield* Backlog.create((after, limit, depth) => store.waiting(job.id, after, limit, depth), writing)
  const { sample, visit } = yield* PageVisit.prepare({ job, plan, frontier, tries: site.tries })
  const named = NamedFiles.create((url) => Effect.interruptible(sample(url)))
  yield* everyUrl(store, job.id, named.enter)
  const links = linkFilter(plan.rules, (message) => warn(job.id, message))
  const counts = yield* store.ledger(job.id)
  // The writer queues what it has written, a level that ends writes, and what is written depends on the levels.
  const writer: LedgerWriter.LedgerWriter = LedgerWriter.create({
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
  const levels = Levels.create({
    job,
    plan,
    frontier,
    line,
    store,
    warn: (message) => warn(job.id, message),
    ...writer
  })
  const settlementOf = Settlements.of({ rules: links.rules, frontier, line, levels })
  const progress = LevelProgress.start({
    backlog,
    line,
    levels,
    writing,
    waitsForSitemaps: plan.settling !== undefined,
    isFull: () => writer.scraped() >= plan.limit,
    finished
  })
  const pages = new PagesInFlight(yield* Semaphore.make(Math.max(0, plan.limit - counts.scraped)), finished)
  return {
    job,
    plan,
    site,
    store,
    frontier,
    line,
    backlog,
    named,
    writing,
    writer,
    levels,
    progress,
    links,
    pages,
    visit,
    finished
  }
})

/** The URLs of the ledger. A new ledger gets the start. */
const restored = Effect.fnUntraced(function* (job: Job, plan: CrawlPlan) {
  const store = yield* CrawlStore
  const { settling } = plan
  if (settling !== undefined) yield* store.identity.hold(job.id)
  const hasRoutes = settling !== undefined && (yield* store.identity.hasRoutes(job.id))
  const identity = hasRoutes ? { ...plan.identity, routes: true } : plan.identity
  const frontier = Frontier.open(identity, settling === undefined ? "order" : "identity")
  const line = Line.create()
  yield* everyUrl(store, job.id, (known) => frontier.remember(known))
  yield* everyUrl(store, job.id, (known) => frontier.reclaim(known))
  yield* everyUrl(store, job.id, line.enter)
  const first = frontier.isNew() ? frontier.discover(plan.rules.start, 0, "start") : undefined
  if (first !== undefined) {
    line.enter([first])
    yield* store.discover(job.id, [first])
  }
  return { frontier, line }
})

/** Reads the pages and the sitemaps until the crawl has finished. */
const readAll = Effect.fnUntraced(function* (crawl: Crawl, turns: Turns) {
  const { finished, line, plan, progress, site } = crawl
  const ownDelayMillis = Math.max(plan.delayMillis, site.ownDelayMillis)
  const paced = ownPace(ownDelayMillis)
  /**
   * Completed when the start has ended. Pages of sitemaps wait for this: if the start redirects to one of them, that
   * page is the start's.
   */
  const startEnded = yield* Deferred.make<void>()
  if (line.waitingAt(0) === 0 || !line.isFirstWaiting()) yield* Deferred.succeed(startEnded, undefined)
  const orFail = <A, R>(effect: Effect.Effect<A, PageVisit.StartFailed | StoreError, R>) =>
    Effect.catchCause(effect, (cause) => Deferred.failCause(finished, cause))
  const { visitNext } = yield* visits(crawl, turns, paced, startEnded)
  const workers = site.delayMillis > 0 || ownDelayMillis > 0 ? 1 : plan.concurrency
  yield* Effect.forEach(Array.from({ length: workers }), () => Effect.forkScoped(orFail(Effect.forever(visitNext))))
  const sitemaps = plan.sitemap === "skip" ? Effect.void : readSitemaps(crawl, paced, startEnded)
  yield* Effect.forkScoped(orFail(Effect.andThen(sitemaps, progress.sitemapsRead)))
  yield* Deferred.await(finished)
})

/** How the workers of a crawl visit pages. */
const visits = Effect.fnUntraced(function* (
  crawl: Crawl,
  { inTurn, settled }: Turns,
  paced: Pace,
  startEnded: Deferred.Deferred<void>
) {
  const { backlog, frontier, job, line, links, pages, plan, progress, store, visit, writer } = crawl
  const putAside = yield* PutAside.open(backlog.giveBack)
  const carefully = suspects.start(store, job.id)
  const price = { least: PageDocuments.leastCredits(plan.scrape), of: Settlements.creditsOf }
  const read = (item: DiscoveredUrl) =>
    carefully(
      item,
      Effect.flatMap(visit(item, "changed"), (end) => links.ofVisit(item, end))
    )

  /** Takes the next page from the backlog, visits it, and settles it or puts it aside. */
  const visitNext = Effect.gen(function* () {
    const item = yield* backlog.take
    yield* pages.begin
    frontier.begin(item.seq)
    const isStart = item.kind === "start"
    const reading = Effect.withSpan(paced(new URL(item.url).host, inTurn(read(item), price)), "page", {
      attributes: { "url.full": item.url }
    })
    const end = yield* Effect.catchTag(reading, "OutOfCredits", () => pages.stop)
    if (end._tag === "Later") {
      yield* pages.release
      // If the start is refused, the pages of the sitemaps go ahead: they show whether the host works.
      if (isStart) yield* Deferred.succeed(startEnded, undefined)
      yield* pages.left
      yield* store.putBack(job.id, item.seq)
      return yield* putAside(item, end.at)
    }
    if (isStart && end.isRendered === true && plan.settling !== undefined) {
      frontier.change({ ...frontier.identity(), routes: true })
      yield* store.identity.keepRoutes(job.id)
    }
    yield* Effect.uninterruptible(writer.settle({ item, end }))
    line.leave([item.seq])
    if (isStart) yield* Deferred.succeed(startEnded, undefined)
    if (end.state !== "scraped") yield* pages.release
    yield* settled
    yield* pages.left
    yield* progress.ended
  })
  return { visitNext }
})

/** Enters the pages that the site's sitemaps list. */
const readSitemaps = (crawl: Crawl, paced: Pace, startEnded: Deferred.Deferred<void>) =>
  Effect.gen(function* () {
    const { links, plan, site } = crawl
    const { warn } = yield* JobStore
    const enter = listedPages({ ...crawl, rules: links.rules })
    const { skipTlsVerification = false } = plan.scrape.options
    yield* SitemapWalk.walk({
      from: SitemapWalk.candidates(plan.rules.start, site.robots?.sitemaps ?? []),
      listed: (url, lastmod) => plan.revalidation?.listed(url, lastmod),
      get: (url, options) => {
        const exchange = site.polite.get(url, { ...options, skipTlsVerification }, site.delayMillis)
        return paced(url.host, persistentFile(site.tries, url, exchange))
      },
      found: (urls) => Effect.andThen(Deferred.await(startEnded), Effect.flatMap(links.passing(urls), enter)),
      problem: (message) => warn(crawl.job.id, message)
    })
  })

/**
 * The pages that are visited and whose end is not written yet. As many begin as the limit has room for. Without credits
 * no page begins, and the crawl ends after those in flight.
 */
class PagesInFlight {
  private readonly room: Semaphore.Semaphore
  private readonly finished: Deferred.Deferred<void, PageVisit.StartFailed | StoreError>
  private count = 0
  private isOutOfCredits = false

  constructor(room: Semaphore.Semaphore, finished: Deferred.Deferred<void, PageVisit.StartFailed | StoreError>) {
    this.room = room
    this.finished = finished
  }

  /** Waits for room within the limit. */
  get begin(): Effect.Effect<void> {
    return Effect.map(this.room.take(1), () => {
      this.count += 1
    })
  }

  /** Gives the room of a page back that is no result. */
  get release(): Effect.Effect<void> {
    return Effect.asVoid(this.room.release(1))
  }

  /** A page has left. */
  get left(): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.count -= 1
      return this.isOutOfCredits && this.count === 0
        ? Effect.asVoid(Deferred.succeed(this.finished, undefined))
        : Effect.void
    })
  }

  /** No credits are left for the page. */
  get stop(): Effect.Effect<never> {
    return Effect.suspend(() => {
      this.isOutOfCredits = true
      return Effect.andThen(this.left, Effect.never)
    })
  }
}

/**
 * The links of a crawl that pass its path filters.
 *
 * Many patterns on many links take long, so the filters run before anything is written, and they yield to other work.
 * The returned `rules` have no filters, because the links have passed them. `warn` adds a warning to the job; a repeated
 * one is ignored.
 */
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
const ownPace = (delayMillis: number): Pace => {
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

  return (host, work) => (delayMillis > 0 ? take(host, work) : work)
}

/** Does the work when the job may request from the host again. */
type Pace = <A, E, R>(host: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Takes the URLs of sitemaps: they enter a crawl at the depth of its start. */
const listedPages = ({
  frontier,
  job,
  named,
  progress,
  rules,
  store,
  writing
}: Crawl & { readonly rules: Scope.Rules }) => {
  const isListed = (url: URL): boolean => {
    const verdict = Scope.judge(rules, url, 0)
    return Scope.isInternal(rules, url) && (verdict === "in" || verdict === "file")
  }

  const enter = Effect.fnUntraced(
    function* (urls: ReadonlyArray<URL>) {
      const found = urls.flatMap(
        (url) => frontier.discover(url, 0, "sitemap", named.fileAt(url) === undefined ? "queued" : "failed") ?? []
      )
      const changes = frontier.changes()
      yield* store.discover(job.id, found, changes)
      const failures = found.flatMap((one) => failureOf(one, named.fileAt(new URL(one.url))))
      yield* store.fail(job.id, failures)
      yield* progress.enqueue(found)
      for (const change of changes) {
        if (change._tag !== "Nearer" || change.was <= progress.level()) continue
        const nearer = yield* store.waiting(job.id, change.seq - 1, 1, 0)
        for (const url of nearer) yield* progress.bring(url)
      }
    },
    writing.withPermits(1),
    Effect.uninterruptible
  )

  return Effect.fnUntraced(function* (hrefs: ReadonlyArray<string>) {
    const urls = hrefs.flatMap((href) => PageUrl.normalize(href) ?? []).filter(isListed)
    yield* named.learn(urls.filter(Scope.isNamedLikeFile))
    yield* enter(urls)
  })
}

const failureOf = ({ state, url }: DiscoveredUrl, file: string | undefined): ReadonlyArray<Failure> => {
  const { failure } = file === undefined ? {} : notAPage(file)
  return failure === undefined || state !== "failed" ? [] : [{ id: uuid7(), url, ...failure }]
}

/** The rules of a site, without which none of its pages may be read. */
const persistentRules = <A extends object>(tries: Tries.Tries, url: URL, rules: Effect.Effect<A, FetchError>) =>
  persistently(tries.ask(url, rules), { tries, name: "robots.txt", refusalIn: () => undefined })

/** A file that is not a page: a sitemap. */
const persistentFile = (tries: Tries.Tries, url: URL, exchange: Effect.Effect<FetchResult, FetchError>) =>
  persistently(tries.ask(url, exchange), {
    tries,
    name: url.href,
    refusalIn: (fetched) => (Patience.isTransient(fetched.status) ? { url, fetched } : undefined)
  })

/** A request that is alone in a job: the caller waits while it is retried. A page returns to the queue instead (`PutAside`). */
interface Persistence<A> {
  readonly tries: Tries.Tries
  /** A name that nothing else of the job has. */
  readonly name: string
  /** The refusal in an answer; undefined: there is none. */
  readonly refusalIn: (answer: A) => Refused | undefined
}

const persistently = Effect.fnUntraced(function* <A, R>(
  exchange: Effect.Effect<A, FetchError | Later, R>,
  { name, refusalIn, tries }: Persistence<A>
): Effect.fn.Return<A, FetchError, R> {
  for (;;) {
    const answer = yield* Effect.result(exchange)
    const refused = answer._tag === "Success" ? refusalIn(answer.success) : refusalOf(answer.failure)
    const next = refused === undefined || refused instanceof Later ? refused : yield* tries.again(name, refused)
    if (next instanceof Later) {
      yield* Effect.sleep(Math.max(0, next.at - (yield* monotonicMillis)))
      continue
    }
    if (next !== undefined) return yield* next
    if (answer._tag === "Success") return answer.success
    if (answer.failure._tag === "FetchError") return yield* answer.failure
  }
})

const refusalOf = (failure: FetchError | Later): Refused | Later | undefined => {
  if (failure._tag === "Later") return failure
  return failure.retryable ? { error: failure } : undefined
}
