/**
 * One crawl, from its start URL to its last page.
 *
 * The way of one page: taken from the backlog when the limit has room for it -> visited -> its document, its end and its
 * links settled in one transaction, with those of the pages that ended in the same moment -> its links put in line. The law:
 * every URL that enters the ledger gets exactly one end; a crawl stops when none is left or the limit is reached;
 * interrupting it stops its requests.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { SqlError } from "effect/sql/SqlError"
import * as PageUrl from "../../api/PageUrl.ts"
import type { Scraper } from "../scrape/Scraper.ts"
import { CrawlStore } from "../store/CrawlStore.ts"
import type { DiscoveredUrl, Failure, Settlement } from "../store/CrawlUrl.ts"
import type { Job } from "../store/Job.ts"
import { JobStore } from "../store/JobStore.ts"
import { uuid7 } from "../uuid7.ts"
import * as Backlog from "./Backlog.ts"
import { agentOf, type CrawlPlan } from "./CrawlPlan.ts"
import type { FetchError } from "./Fetch.ts"
import * as Frontier from "./Frontier.ts"
import * as PageVisit from "./PageVisit.ts"
import { PoliteFetch } from "./PoliteFetch.ts"
import * as PutAside from "./PutAside.ts"
import { persistentFile, persistentRules } from "./persistently.ts"
import * as Scope from "./Scope.ts"
import * as SitemapWalk from "./SitemapWalk.ts"
import { SiteRules } from "./SiteRules.ts"
import * as Together from "./Together.ts"
import * as Tries from "./Tries.ts"

/** How a run tells that a page has ended, and how a page waits for its turn among the jobs of its team. */
export interface Turns {
  readonly settled: Effect.Effect<void>
  readonly inTurn: <A, E, R>(page: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** A URL that was visited, and how that ended. */
interface Ended {
  readonly item: DiscoveredUrl
  readonly end: PageVisit.Visit
}

/** Runs a job from the beginning, or from where its ledger says it was. */
export const run = Effect.fn("Crawler.run")(function* (
  job: Job,
  plan: CrawlPlan,
  { settled, inTurn }: Turns
): Effect.fn.Return<void, PageVisit.StartFailed | SqlError, CrawlStore | JobStore | PoliteFetch | Scraper | SiteRules> {
  const store = yield* CrawlStore
  const jobs = yield* JobStore
  const polite = yield* PoliteFetch
  const siteRules = yield* SiteRules
  const { rules } = plan
  const start = rules.start
  const had = (yield* store.count(job.id)) > 0 ? start : undefined
  const triesAt = (delayMillis: number) =>
    Tries.make({ patience: plan.patience, polite, home: start.host, had, delayMillis })

  const orStartFailed = Effect.mapError(
    (error: FetchError) => new PageVisit.StartFailed({ message: `${start.href}: ${error.message}` })
  )
  const robots = plan.ignoreRobotsTxt
    ? undefined
    : yield* persistentRules(triesAt(plan.delayMillis), start, siteRules.of(start)).pipe(orStartFailed)
  const crawlDelayMillis = Math.min(60, robots?.crawlDelay(agentOf(plan)) ?? 0) * 1000
  const delayMillis = Math.max(plan.delayMillis, crawlDelayMillis)
  const tries = triesAt(delayMillis)
  const workers = delayMillis > 0 ? 1 : plan.concurrency

  const frontier = Frontier.make(plan.ignoreQueryParameters)
  const everyKnown = Effect.fnUntraced(function* (use: (known: ReadonlyArray<DiscoveredUrl>) => void) {
    let known: ReadonlyArray<DiscoveredUrl> = []
    do {
      known = yield* store.urls(job.id, known.at(-1)?.seq ?? -1, atOnce)
      use(known)
    } while (known.length === atOnce)
  })
  yield* everyKnown(frontier.remember)
  yield* everyKnown(frontier.reclaim)
  const first = frontier.isNew() ? frontier.discover(start, 0, "start") : undefined
  if (first !== undefined) yield* store.discover(job.id, [first])

  const finished = yield* Deferred.make<void, PageVisit.StartFailed | SqlError>()
  /** Who numbers URLs, writes them down and puts them in line: one at a time. */
  const writing = yield* Semaphore.make(1)
  const backlog = yield* Backlog.make((after, limit) => store.waiting(job.id, after, limit), writing)
  const putAside = yield* PutAside.make(backlog.giveBack)
  const counts = yield* store.ledger(job.id)
  const room = yield* Semaphore.make(Math.max(0, plan.limit - counts.scraped))
  let scraped = counts.scraped
  /** What the crawl waits for: URLs, and the sitemaps. */
  let outstanding = counts.queued + 1

  const visit = yield* PageVisit.make({ job, plan, frontier, tries, delayMillis })

  const enqueue = (urls: ReadonlyArray<DiscoveredUrl>) => {
    outstanding += urls.length
    return backlog.offer(urls)
  }
  /** One thing less to wait for; the last one ends the crawl. */
  const done = Effect.suspend(() => {
    outstanding -= 1
    return outstanding === 0 || scraped >= plan.limit ? Deferred.succeed(finished, undefined) : Effect.void
  })

  const discover = (links: ReadonlyArray<string>, depth: number): ReadonlyArray<DiscoveredUrl> => {
    // Not looked at: the same link may be found again nearer to the start.
    if (rules.maxDiscoveryDepth !== undefined && depth > rules.maxDiscoveryDepth) return []
    return links.flatMap((href) => {
      const url = frontier.isNewLink(href) ? PageUrl.normalize(href) : undefined
      const verdict = url === undefined ? "out" : Scope.judge(rules, url, depth)
      if (url === undefined || verdict === "out") return []
      const found =
        verdict === "in"
          ? frontier.discover(url, depth, "link")
          : frontier.discover(url, depth, "external", verdict === "external" ? "queued" : "failed")
      return found ?? []
    })
  }

  /** An end as it is written down; `at`: how many documents there are before it. */
  const settlementOf = ({ end, item }: Ended, at: number): Settlement => {
    const discovered = discover(end.links, item.depth + 1)
    const homes = discovered.filter((url) => url.state === "failed")
    const failures: ReadonlyArray<Failure> = [
      ...(end.failure === undefined ? [] : [{ id: uuid7(), url: item.url, ...end.failure }]),
      ...homes.map(({ url }) => ({
        id: uuid7(),
        url,
        code: "EXTERNAL_LINK",
        error: "an external home page is not crawled"
      }))
    ]
    const { document } = end
    const page =
      document === undefined
        ? {}
        : { page: { seq: at, document, bytes: Buffer.byteLength(document), credits: end.credits ?? 1 } }
    const landedKey = end.landed === undefined ? item.key : PageUrl.key(end.landed, plan.ignoreQueryParameters)
    return { seq: item.seq, state: end.state, landedKey, failures, discovered, ...page }
  }

  const settle = Together.make((ends: ReadonlyArray<Ended>, close) =>
    writing.withPermits(1)(
      Effect.suspend(() => {
        close()
        let pages = scraped
        const settlements = ends.map((ended) => settlementOf(ended, ended.end.document === undefined ? pages : pages++))
        const waiting = settlements.flatMap(({ discovered }) => discovered).filter(({ state }) => state === "queued")
        return Effect.andThen(
          store.settle(job.id, settlements),
          Effect.suspend(() => {
            scraped = pages
            return enqueue(waiting)
          })
        )
      })
    )
  )

  const work = Effect.gen(function* () {
    const item = yield* backlog.take
    yield* room.take(1)
    const end = yield* inTurn(visit(item))
    if (end._tag === "Later") {
      yield* room.release(1)
      return yield* putAside(item, end.at)
    }
    yield* Effect.uninterruptible(settle({ item, end }))
    if (end.state !== "scraped") yield* room.release(1)
    yield* settled
    yield* done
  })

  const admit = Effect.fnUntraced(
    function* (urls: ReadonlyArray<string>) {
      const found = urls.flatMap((href) => {
        const url = frontier.isNewLink(href) ? PageUrl.normalize(href) : undefined
        if (url === undefined || !Scope.isInternal(rules, url) || Scope.judge(rules, url, 0) !== "in") return []
        return frontier.discover(url, 0, "sitemap") ?? []
      })
      yield* store.discover(job.id, found)
      yield* enqueue(found)
    },
    writing.withPermits(1),
    Effect.uninterruptible
  )

  const sitemaps = SitemapWalk.walk({
    from: SitemapWalk.candidates(start, robots?.sitemaps ?? []),
    get: (url, options) => persistentFile(tries, url, polite.get(url, options, delayMillis)),
    found: admit,
    problem: (message) => jobs.warn(job.id, message)
  })

  yield* Effect.scoped(
    Effect.gen(function* () {
      const orFail = <A, R>(effect: Effect.Effect<A, PageVisit.StartFailed | SqlError, R>) =>
        Effect.catchCause(effect, (cause) => Deferred.failCause(finished, cause))
      yield* Effect.forEach(Array.from({ length: workers }), () => Effect.forkScoped(orFail(Effect.forever(work))))
      yield* Effect.forkScoped(orFail(Effect.andThen(plan.sitemap === "skip" ? Effect.void : sitemaps, done)))
      yield* Deferred.await(finished)
    })
  )
})

/** How many URLs of the ledger are read at a time. */
const atOnce = 2000
