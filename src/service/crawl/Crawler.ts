/**
 * One crawl, from its start URL to its last page.
 *
 * The way of one page: taken from the queue when the limit has room for it -> robots.txt -> fetched in its host's turn,
 * redirects by hand -> parsed in one pass -> its document, its end and its links settled in one transaction -> its
 * links queued. The law: every URL that enters the ledger gets exactly one end; a crawl stops when none is left or the
 * limit is reached; interrupting it stops its requests.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Semaphore from "effect/Semaphore"
import type { SqlError } from "effect/sql/SqlError"
import type { ScrapePlan } from "../scrape/ScrapePlan.ts"
import { type Scraped, Scraper } from "../scrape/Scraper.ts"
import { CrawlStore } from "../store/CrawlStore.ts"
import type { DiscoveredUrl, Failure } from "../store/CrawlUrl.ts"
import type { Job } from "../store/Job.ts"
import { uuid7 } from "../uuid7.ts"
import { FetchError, productToken } from "./Fetch.ts"
import * as Frontier from "./Frontier.ts"
import { followRedirects, redirectLoop } from "./followRedirects.ts"
import * as PageDocuments from "./PageDocuments.ts"
import * as PageUrl from "./PageUrl.ts"
import { PoliteFetch } from "./PoliteFetch.ts"
import * as Scope from "./Scope.ts"
import * as SitemapWalk from "./SitemapWalk.ts"
import { SiteRules } from "./SiteRules.ts"

export interface Plan {
  readonly rules: Scope.Rules
  readonly limit: number
  readonly sitemap: "include" | "skip" | "only"
  readonly ignoreQueryParameters: boolean
  readonly ignoreRobotsTxt: boolean
  readonly robotsUserAgent: string | undefined
  /** Milliseconds between two scrapes; more than 0 takes pages one at a time. */
  readonly delayMillis: number
  readonly concurrency: number
  /** How each page is scraped. */
  readonly scrape: ScrapePlan
}

/** How a run tells that a page has ended, and how a page waits for its turn among the jobs of its team. */
export interface Turns {
  readonly settled: Effect.Effect<void>
  readonly inTurn: <A, E, R>(page: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** The start page could not be had at all: the crawl has failed. */
export class StartFailed {
  readonly _tag = "StartFailed"
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/** How a visit ended, before it is written down. */
interface Visit {
  readonly state: "scraped" | "failed" | "blocked" | "alias"
  readonly document?: string
  readonly credits?: number
  readonly landed?: URL
  readonly failure?: Omit<Failure, "id" | "url">
  readonly links: ReadonlyArray<string>
}

/** A visit that ends before its page is fetched: how a chain of redirects is cut short. */
class Ended {
  readonly _tag = "Ended"
  readonly visit: Visit
  constructor(visit: Visit) {
    this.visit = visit
  }
}

/** Runs a job from the beginning, or from where its ledger says it was. */
export const run = Effect.fn("Crawler.run")(function* (
  job: Job,
  plan: Plan,
  { settled, inTurn }: Turns
): Effect.fn.Return<void, StartFailed | SqlError, CrawlStore | PoliteFetch | Scraper | SiteRules> {
  const store = yield* CrawlStore
  const polite = yield* PoliteFetch
  const siteRules = yield* SiteRules
  const scraper = yield* Scraper
  const { rules } = plan
  const agent = plan.robotsUserAgent ?? productToken
  const start = rules.start

  const known = yield* store.urls(job.id)
  const frontier = Frontier.make(plan.ignoreQueryParameters, known)
  const queue = yield* Queue.unbounded<DiscoveredUrl>()
  const finished = yield* Deferred.make<void, StartFailed | SqlError>()
  const settling = yield* Semaphore.make(1)
  const counts = yield* store.ledger(job.id)
  const room = yield* Semaphore.make(Math.max(0, plan.limit - counts.scraped))
  let scraped = counts.scraped
  let pages = yield* store.count(job.id)
  let outstanding = 0

  const orStartFailed = Effect.mapError((error: FetchError) => new StartFailed(`${start.href}: ${error.message}`))
  const robots = plan.ignoreRobotsTxt ? undefined : yield* siteRules.of(start).pipe(orStartFailed)
  const crawlDelayMillis = Math.min(60, robots?.crawlDelay(agent) ?? 0) * 1000
  const delayMillis = Math.max(plan.delayMillis, crawlDelayMillis)
  const workers = delayMillis > 0 ? 1 : plan.concurrency

  const enqueue = Effect.fnUntraced(function* (urls: ReadonlyArray<DiscoveredUrl>) {
    outstanding += urls.length
    yield* Queue.offerAll(queue, urls)
  })
  /** One thing less to wait for; the last one ends the crawl. */
  const done = Effect.suspend(() => {
    outstanding -= 1
    return outstanding === 0 || scraped >= plan.limit ? Deferred.succeed(finished, undefined) : Effect.void
  })

  const isAllowed = (url: URL) =>
    plan.ignoreRobotsTxt
      ? Effect.succeed(true)
      : Effect.map(siteRules.of(url), (robots) => robots.allows(url.href, agent))

  const permit = (item: DiscoveredUrl) =>
    Effect.fnUntraced(function* (next: URL): Effect.fn.Return<void, Ended | FetchError> {
      if (!Scope.isInternal(rules, next) && !rules.allowExternalLinks) {
        const why = `redirects off the domain, to ${next.href}; allow external links, or start there`
        return yield* Effect.fail(new Ended(failed("EXTERNAL_LINK", why)))
      }
      if (!(yield* isAllowed(next))) return yield* Effect.fail(new Ended(blocked))
      const claim = frontier.claim(next, item.seq)
      if (claim === "other") return yield* Effect.fail(new Ended({ ...alias, landed: next }))
      if (claim === "loop") {
        return yield* Effect.fail(new Ended(failed("SCRAPE_REDIRECT_LOOP", redirectLoop(next))))
      }
    })

  const visit = Effect.fnUntraced(function* (item: DiscoveredUrl) {
    const url = new URL(item.url)
    if (!(yield* isAllowed(url))) return blocked
    const asked = {
      url: item.url,
      scrapeId: uuid7(),
      teamId: job.teamId,
      keeps: (plan.scrape.options.maxAge ?? 0) > 0,
      delayMillis
    }
    const kept = yield* scraper.kept(plan.scrape, asked)
    // A copy of a page that redirected may lead where this crawl does not go: it is fetched, and judged hop by hop.
    if (kept?.document.metadata.url === url.href) return visited(item, kept)
    const get = (hop: URL) => polite.get(hop, PageDocuments.fetchOptions(plan.scrape, start, hop), delayMillis)
    const landed = yield* followRedirects(url, get, permit(item))
    if (landed.url.href !== url.href && !Scope.isInternal(rules, landed.url) && Scope.isHome(landed.url)) {
      return failed("EXTERNAL_LINK", `redirects to an external home page, ${landed.url.href}`)
    }
    return visited(item, yield* scraper.scrape(landed, plan.scrape, asked), landed.url)
  })

  /** A page that was had, and what is followed from it. */
  const visited = (
    item: DiscoveredUrl,
    { document, links: found, refresh }: Scraped,
    landed = new URL(item.url)
  ): Visit => {
    const follow = plan.sitemap !== "only" && Scope.isInternal(rules, landed) && document.metadata.statusCode < 400
    const links = follow ? (refresh === undefined ? found : [refresh, ...found]) : []
    if (item.kind === "start" && !Scope.admitsStart(rules)) return { ...notAdmitted, links }
    const credits = PageDocuments.creditsOf(document)
    return { state: "scraped", document: JSON.stringify(document), credits, landed, links }
  }

  const endOf = (item: DiscoveredUrl) =>
    visit(item).pipe(
      Effect.catchDefect((defect) => new FetchError({ ...unreadable, url: item.url, message: String(defect) })),
      Effect.catch((error): Effect.Effect<Visit, StartFailed> => {
        if (error._tag === "Ended") return Effect.succeed(error.visit)
        if (item.kind === "start") return Effect.fail(new StartFailed(`${item.url}: ${error.message}`))
        return Effect.succeed(failed(error.code, error.message))
      })
    )

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

  const settle = Effect.fnUntraced(function* (item: DiscoveredUrl, end: Visit) {
    const found = discover(end.links, item.depth + 1)
    const homes = found.filter((url) => url.state === "failed")
    const failures: ReadonlyArray<Failure> = [
      ...(end.failure === undefined ? [] : [{ id: uuid7(), url: item.url, ...end.failure }]),
      ...homes.map(({ url }) => ({
        id: uuid7(),
        url,
        code: "EXTERNAL_LINK",
        error: "an external home page is not crawled"
      }))
    ]
    const page =
      end.document === undefined
        ? {}
        : {
            page: {
              seq: pages,
              document: end.document,
              bytes: Buffer.byteLength(end.document),
              credits: end.credits ?? 1
            }
          }
    const landedKey = end.landed === undefined ? item.key : PageUrl.key(end.landed, plan.ignoreQueryParameters)
    yield* store.settle(job.id, { seq: item.seq, state: end.state, landedKey, failures, discovered: found, ...page })
    if (end.state === "scraped") {
      pages += 1
      scraped += 1
    }
    yield* enqueue(found.filter((url) => url.state === "queued"))
  })

  const work = Effect.gen(function* () {
    const item = yield* Queue.take(queue)
    yield* room.take(1)
    const end = yield* inTurn(endOf(item))
    yield* Effect.uninterruptible(settling.withPermits(1)(settle(item, end)))
    if (end.state !== "scraped") yield* room.release(1)
    yield* settled
    yield* done
  })

  const admit = Effect.fnUntraced(function* (urls: ReadonlyArray<string>) {
    const found = urls.flatMap((href) => {
      const url = frontier.isNewLink(href) ? PageUrl.normalize(href) : undefined
      if (url === undefined || !Scope.isInternal(rules, url) || Scope.judge(rules, url, 0) !== "in") return []
      return frontier.discover(url, 0, "sitemap") ?? []
    })
    yield* settling.withPermits(1)(store.discover(job.id, found))
    yield* enqueue(found)
  }, Effect.uninterruptible)

  const sitemaps = SitemapWalk.walk({
    from: SitemapWalk.candidates(start, robots?.sitemaps ?? []),
    get: (url, options) => polite.get(url, options, delayMillis),
    found: admit,
    problem: (message) => store.warn(job.id, message)
  })

  const first = known.length === 0 ? frontier.discover(start, 0, "start") : undefined
  if (first !== undefined) yield* store.discover(job.id, [first])
  outstanding = 1
  yield* enqueue(first === undefined ? known.filter((url) => url.state === "queued") : [first])

  yield* Effect.scoped(
    Effect.gen(function* () {
      const orFail = <A, R>(effect: Effect.Effect<A, StartFailed | SqlError, R>) =>
        Effect.catchCause(effect, (cause) => Deferred.failCause(finished, cause))
      yield* Effect.forEach(Array.from({ length: workers }), () => Effect.forkScoped(orFail(Effect.forever(work))))
      yield* Effect.forkScoped(orFail(Effect.andThen(plan.sitemap === "skip" ? Effect.void : sitemaps, done)))
      yield* Deferred.await(finished)
    })
  )
})

/** A page that trips our own reader costs that page, not the crawl. */
const unreadable = { code: "SCRAPE_UNKNOWN_ERROR", retryable: false }

const blocked: Visit = { state: "blocked", links: [] }
const alias: Visit = { state: "alias", links: [] }
const failed = (code: string, error: string): Visit => ({ state: "failed", failure: { code, error }, links: [] })
const notAdmitted = failed(
  "PATH_FILTER",
  "the start URL does not pass includePaths and excludePaths, so it is not a result; its links were followed"
)
