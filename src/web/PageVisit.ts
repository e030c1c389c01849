/**
 * One page of a crawl, from its URL to its end: robots.txt; a cached copy, or a fetch in its host's turn, where every
 * redirect is checked; the document and the links to follow.
 *
 * A visit ends as scraped, failed, blocked or alias, or is postponed: a refused page is visited again (`Tries`). Only
 * the failure of the start page, or a bug of ours, ends the crawl.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as KnownSecrets from "#base/KnownSecrets"
import * as PageUrl from "#contract/PageUrl"
import { uuid7 } from "#contract/uuid7"
import { contentKind, essence } from "#page/ContentKind"
import type { PageOptions } from "#page/PageOptions"
import type { CookieJar } from "./CookieJar.ts"
import { type CrawlPlan, namesOf } from "./CrawlPlan.ts"
import * as Scope from "./CrawlScope.ts"
import type { DiscoveredUrl, KnownPage } from "./CrawlUrl.ts"
import { FetchError, headAlone } from "./Fetch.ts"
import { fileKind, readable } from "./FileKind.ts"
import * as MachineFault from "./fetch/MachineFault.ts"
import { followRedirects, redirectLoop } from "./followRedirects.ts"
import type * as Frontier from "./frontier/Frontier.ts"
import type { Job } from "./Job.ts"
import * as PageDocuments from "./PageDocuments.ts"
import { readRequested } from "./PageReader.ts"
import * as PageRequest from "./PageRequest.ts"
import * as Patience from "./Patience.ts"
import { PoliteFetch } from "./PoliteFetch.ts"
import * as Robots from "./politeness/Robots.ts"
import { type Later, ofReading, type Tries, tooSlowCode } from "./politeness/Tries.ts"
import { conditionsOf } from "./Revalidation.ts"
import { Scraper } from "./Scraper.ts"
import * as SiteCookies from "./SiteCookies.ts"
import { SiteRules } from "./SiteRules.ts"
import { Suspect } from "./Suspect.ts"
import { failed, notAPage, redirectsOff, type Visit, visitedPages } from "./visitedPages.ts"

export type { Visit } from "./visitedPages.ts"

/** What the head of an answer says: a page, or what it is else ("image/png"). "blocked": robots.txt forbids to ask. */
export type Sample = { readonly isPage: true } | { readonly isPage: false; readonly what: string } | "blocked"

/** The end of a visit before its page is fetched: ends a chain of redirects early. */
class Ended {
  readonly _tag = "Ended"
  readonly visit: Visit
  constructor(visit: Visit) {
    this.visit = visit
  }
}

/** The start page could not be read, so the crawl has failed. */
export class StartFailed extends Schema.TaggedError<StartFailed>()("StartFailed", { message: Schema.String }) {}

/** What the visits of one crawl share. */
interface Crawl {
  readonly job: Job
  readonly plan: CrawlPlan
  readonly frontier: Frontier.Frontier
  readonly tries: Tries
}

/** A page as it is requested. */
interface RequestedPage extends Pick<PageRequest.PageRequest, "requestedUrl" | "scrapeId"> {
  readonly isSuspect: boolean
  /** Its number in the ledger. */
  readonly seq: number
  readonly url: URL
  /** Milliseconds between two requests to its site. */
  readonly delayMillis: number
  /** The hash of its content without the theme of its host (`PageOptions`). */
  readonly unthemed: string | undefined
  /** The order that was sent with the last hop. */
  order?: PageRequest.PageRequest | undefined
}

/** Visits the pages of this crawl. */
export const prepare = Effect.fnUntraced(function* (crawl: Crawl) {
  const { frontier, job, plan, tries } = crawl
  const scraper = yield* Scraper
  const { askRobots, get, head, mayAsk } = yield* makeRequests(crawl)
  const { rules } = plan
  const names = yield* namesOf(plan)
  const pages = visitedPages(plan, frontier)
  const cookies = SiteCookies.create()
  const keeps = keepsCopies(plan)
  const acceptsCopies = keeps || plan.scrape.options.minAge !== undefined

  const permit = (item: DiscoveredUrl) =>
    Effect.fnUntraced(function* (next: URL): Effect.fn.Return<void, Ended | FetchError | Later> {
      if (!Scope.isInternal(rules, next) && !rules.allowExternalLinks) {
        return yield* Effect.fail(new Ended(redirectsOff(next)))
      }
      if (!Robots.permits(yield* askRobots(next), next.href, names)) return yield* Effect.fail(new Ended(blocked))
      const claim = frontier.claim(next, item.seq)
      if (claim === "other") return yield* Effect.fail(new Ended({ ...alias, landed: next }))
      if (claim === "loop") {
        return yield* Effect.fail(new Ended(failed("SCRAPE_REDIRECT_LOOP", redirectLoop(next))))
      }
    })

  const visit = Effect.fnUntraced(function* (item: DiscoveredUrl, reads: "changed" | "whole") {
    const url = new URL(item.url)
    const robots = yield* askRobots(url)
    if (!Robots.permits(robots, url.href, names)) return blocked
    const delayMillis = Robots.sharedDelayMillis(robots, names)
    const scrapeId = uuid7()
    const asks = { teamId: job.teamId, keeps, delayMillis, home: rules.start, mayAsk }
    const order = { url: item.url, scrapeId, ...asks, isSiteRendered: plan.settling?.isRendered ?? false }
    const copy = acceptsCopies ? yield* scraper.copyOf(plan.scrape, order) : undefined
    // A copy of a page that redirected may lead where this crawl may not go: such a page is fetched.
    if (copy?.document.metadata.url === url.href) return pages.ofScraper(item, copy)
    const { before, unthemed } = yield* lastOf(plan, url)
    const known = reads === "whole" || showsFirstTheme(plan, url) ? undefined : before
    if (known !== undefined && plan.revalidation?.isOld(known, yield* Clock.currentTimeMillis) === true)
      return pages.revalidated(url, known)
    const jar = cookies.visit()
    const isSuspect = yield* Suspect
    const requested: RequestedPage = { ...ownOf(item), scrapeId, isSuspect, url, delayMillis, unthemed }
    const landed = yield* followRedirects(url, get(requested, known, jar), permit(item), jar)
    if (landed.fetched.status === 304 && landed.url.href === known?.url) {
      return pages.revalidated(url, { ...known, since: known.since ?? known.at, at: yield* Clock.currentTimeMillis })
    }
    const again = Patience.isTransient(landed.fetched.status) ? yield* tries.again(item.seq, landed) : undefined
    if (again !== undefined) return yield* Effect.fail(again)
    if (landed.url.href !== url.href && !Scope.isInternal(rules, landed.url) && Scope.isHome(landed.url)) {
      return failed("EXTERNAL_LINK", `redirects to an external home page, ${landed.url.href}`)
    }
    // The answer counts the bytes of redirects already.
    const ordered = requested.order && { ...requested.order, wireBytesBefore: 0 }
    const { page } = yield* readRequested(landed.url, landed.fetched, ordered)
    const scrape = scraper.scrape(landed, scrapeAt(plan, landed.url, unthemed), order)
    const end =
      page === undefined
        ? pages.ofScraper(item, yield* ofReading(scrape, plan.scrape), landed.url)
        : pages.ofThread(item, page, landed)
    return pages.remembered(item, end, yield* Clock.currentTimeMillis, before)
  })

  /** What a URL that is named like a file answers, by the head of its answer. */
  const sample = (url: URL): Effect.Effect<Sample> =>
    Effect.gen(function* () {
      if (!Robots.permits(yield* askRobots(url), url.href, names)) return "blocked" as const
      const jar = cookies.visit()
      const { fetched } = yield* followRedirects(url, head(jar), staysInternal(rules), jar)
      if (fetched.status >= 400) return fileOf(`HTTP ${fetched.status}`)
      const kind = fileKind(fetched.contentType, fetched.body)
      const isPage = kind === undefined ? contentKind(fetched.contentType, fetched.body) === "html" : readable.has(kind)
      return isPage ? { isPage } : fileOf(essence(fetched.contentType) ?? "of an unknown type")
    }).pipe(Effect.catch((error) => Effect.succeed(fileOf(error._tag === "FetchError" ? error.message : "no answer"))))

  return {
    sample,
    /** Visits a page. changed: one that has not changed since the last crawl is not read; whole: it is. */
    visit: (item: DiscoveredUrl, reads: "changed" | "whole") => endOf(item, visit(item, reads), tries)
  }
})

const ownOf = ({ seq, url }: DiscoveredUrl) => ({ seq, requestedUrl: url })

const fileOf = (what: string): Sample => ({ isPage: false, what })

const staysInternal = (rules: Scope.Rules) => (next: URL) =>
  Scope.isInternal(rules, next)
    ? Effect.void
    : Effect.fail(
        new FetchError({
          url: next.href,
          code: "EXTERNAL_LINK",
          message: `redirects to ${next.host}`,
          retryable: false
        })
      )

/** Whether a page of the sample is read even if it is unchanged, because no crawl before has learned themes. */
const showsFirstTheme = ({ learnedThemes, sample }: CrawlPlan, { href }: URL): boolean =>
  learnedThemes === undefined && sample?.wants(href) === true

/** What the last crawl knows of a page. */
const lastOf = ({ revalidation }: CrawlPlan, { href }: URL) =>
  revalidation === undefined
    ? Effect.succeed({ before: undefined, unthemed: undefined })
    : Effect.promise(async () => ({
        before: await revalidation.find(href),
        unthemed: await revalidation.unthemed(href)
      }))

/** How the page at this URL is read: by the theme of its host. Pages of the sample show what the theme is. */
const pageAt = (
  { sample, themes }: CrawlPlan,
  page: PageOptions,
  { host, href }: URL,
  unthemed: string | undefined
): PageOptions => ({ ...page, theme: themes?.get(host), unthemed, sketches: sample?.wants(href) === true })

const scrapeAt = (plan: CrawlPlan, url: URL, unthemed: string | undefined) => ({
  ...plan.scrape,
  page: pageAt(plan, plan.scrape.page, url, unthemed)
})

/** Whether copies of pages that were read before are accepted. */
const keepsCopies = ({ scrape }: CrawlPlan): boolean => (scrape.options.maxAge ?? 0) > 0

/** How hosts are asked: for their rules, and for pages, hop by hop. */
const makeRequests = Effect.fnUntraced(function* ({ frontier, plan, tries }: Crawl) {
  const polite = yield* PoliteFetch
  const siteRules = yield* SiteRules
  const names = yield* namesOf(plan)
  const reading = PageRequest.readingOf(plan.scrape, keepsCopies(plan))

  /** What a thread that fetches the page may make of it at once. A suspect is read in another process. */
  const pageRequestOf = (
    { requestedUrl, isSuspect, scrapeId, unthemed }: RequestedPage,
    hop: URL,
    before: number
  ): PageRequest.PageRequest | undefined => {
    // What a thread reads has the address that it asks.
    if (reading === undefined || isSuspect || KnownSecrets.maskedUrl(hop) !== hop) return undefined
    const { settling } = plan
    const landed =
      settling === undefined ? "" : PageUrl.plainOf(PageUrl.normalize(hop.href) ?? hop, frontier.identity()).href
    const traits = settling === undefined ? undefined : { landed, trapBudget: settling.trapBudget }
    const readingHere = { ...reading, page: pageAt(plan, reading.page, hop, unthemed) }
    return { requestedUrl, scrapeId, wireBytesBefore: before, reading: readingHere, traits }
  }

  /** Only the known page is asked for conditionally; other hops are not. */
  const get =
    (requested: RequestedPage, known: KnownPage | undefined, jar: CookieJar) => (hop: URL, before: number) => {
      const order = pageRequestOf(requested, hop, before)
      requested.order = order
      const options = PageDocuments.fetchOptions(plan.scrape, plan.rules.start, hop)
      return jar.exchange(hop, order === undefined ? options : { ...options, order }, (sent, other) => {
        const at = other ?? hop
        const isKnown = other === undefined && known?.url === hop.href
        const conditions = isKnown ? { headers: { ...sent.headers, ...conditionsOf(known) } } : undefined
        const conditional = tries.timed(requested.seq, at, conditions === undefined ? sent : { ...sent, ...conditions })
        const exchange =
          at.origin === requested.url.origin
            ? polite.get(at, conditional, requested.delayMillis)
            : // The delay that the host asks for between two requests. The crawl keeps its own between its pages.
              Effect.flatMap(robotsOf(at), (robots) =>
                polite.get(at, conditional, Robots.sharedDelayMillis(robots, names))
              )
        return tries.get(at, exchange)
      })
    }

  /** The head of an answer, hop by hop. */
  const head = (jar: CookieJar) => (hop: URL) => {
    const options = { ...PageDocuments.fetchOptions(plan.scrape, plan.rules.start, hop), maxBytes: headAlone }
    return jar.exchange(hop, options, (sent, other) => {
      const at = other ?? hop
      const exchange = Effect.flatMap(robotsOf(at), (robots) =>
        polite.get(at, sent, Robots.sharedDelayMillis(robots, names))
      )
      return tries.get(at, exchange)
    })
  }

  const robotsOf = (url: URL) =>
    plan.ignoreRobotsTxt ? Effect.succeed(Robots.allowAll) : siteRules.of(url, plan.scrape.options)

  /** The rules of a page's host, unless the host is down. */
  const askRobots = (url: URL) =>
    plan.ignoreRobotsTxt ? Effect.succeed(Robots.allowAll) : tries.ask(url, siteRules.of(url, plan.scrape.options))

  const mayAsk = (url: URL): Effect.Effect<boolean> =>
    Effect.orElseSucceed(
      Effect.map(askRobots(url), (robots) => Robots.permits(robots, url.href, names)),
      () => false
    )

  return { askRobots, get, head, mayAsk }
})

/** The end of a visit, whatever has stopped it. */
const endOf = (
  item: DiscoveredUrl,
  visit: Effect.Effect<Visit, Ended | FetchError | Later>,
  tries: Tries
): Effect.Effect<Visit | Later, StartFailed> =>
  visit.pipe(
    Effect.catchDefect((defect) =>
      defect instanceof MachineFault.MachineFault
        ? Effect.die(defect)
        : new FetchError({ ...unreadable, url: item.url, message: String(defect) })
    ),
    Effect.catch((error): Effect.Effect<Visit | Later, StartFailed> => {
      if (error._tag === "Later") return Effect.succeed(error)
      return error._tag === "Ended" ? Effect.succeed(error.visit) : refused(item, error, tries)
    })
  )

/** A page that may succeed later is postponed; any other has failed. */
const refused = Effect.fnUntraced(function* (item: DiscoveredUrl, error: FetchError, tries: Tries) {
  yield* MachineFault.raise(error)
  const again = error.retryable ? yield* tries.again(item.seq, { error }) : undefined
  return again?._tag === "Later" ? again : yield* end(item, again ?? error)
})

/** The failure of a page; for the start page, of the crawl. */
const end = (item: DiscoveredUrl, error: FetchError): Effect.Effect<Visit, StartFailed> =>
  item.kind === "start"
    ? Effect.fail(new StartFailed({ message: `${item.url}: ${error.message}` }))
    : Effect.succeed(
        error.code === unsupported && Scope.hasExtension(new URL(item.url))
          ? notAPage(error.message)
          : error.code === tooSlowCode
            ? { ...failed(error.code, error.message), state: "left" }
            : failed(error.code, error.message)
      )

const unsupported = "SCRAPE_UNSUPPORTED_FILE_ERROR"

/** A page that crashes our reader fails alone; the crawl continues. */
const unreadable = { code: "SCRAPE_UNKNOWN_ERROR", retryable: false }

const blocked: Visit = { _tag: "Visit", state: "blocked", links: [] }
const alias: Visit = { _tag: "Visit", state: "alias", links: [] }
