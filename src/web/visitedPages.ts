/**
 * The result of a visit that read a page or found it unchanged: its document, the links to follow, and its traits.
 */
import * as KnownSecrets from "#base/KnownSecrets"
import * as PageUrl from "#contract/PageUrl"
import type { Sketch, SketchedPage } from "#page/Theme"
import type { CrawlPlan } from "./CrawlPlan.ts"
import * as Scope from "./CrawlScope.ts"
import type { Bytes, DiscoveredUrl, Failure, KnownPage, Result, Traits } from "./CrawlUrl.ts"
import type { FinalHop } from "./followRedirects.ts"
import type * as Frontier from "./frontier/Frontier.ts"
import * as PageDocuments from "./PageDocuments.ts"
import type { PageResult } from "./PageRequest.ts"
import type { FetchResult } from "./PlainGet.ts"
import { readAgain } from "./Revalidation.ts"
import type { Scraped } from "./Scraper.ts"
import { traitsOf } from "./scrape/traitsOf.ts"

/** How a visit ended, before the end is written. */
export interface Visit {
  readonly _tag: "Visit"
  readonly state: "scraped" | "failed" | "blocked" | "alias" | "left"
  readonly document?: Result
  readonly credits?: number
  /** The bytes received for the page; undefined: unknown. */
  readonly bytes?: Bytes | undefined
  readonly landed?: URL
  readonly failure?: Omit<Failure, "id" | "url">
  readonly links: ReadonlyArray<string>
  readonly traits?: Traits
  /** Whether a browser showed it, as its scripts fill it. Then it is an application, whose hash routes are pages. */
  readonly isRendered?: boolean
  readonly isRevalidated?: boolean
  readonly sketched?: SketchedPage | undefined
  readonly known?: KnownPage
}

/** A page that was read: by the thread that fetched it, or by the scraper. */
interface ReadResult {
  readonly document: Result
  readonly credits: number
  readonly bytes: Bytes | undefined
  /** The URL that the document names. */
  readonly url: string
  readonly status: number
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
  /** The version of the finder of its main content. */
  readonly version: number | undefined
  readonly links: ReadonlyArray<string>
  readonly refresh: string | undefined
  /** Whether it has neither text nor links. */
  readonly isEmpty?: boolean
  readonly shell?: Scraped["shell"]
  readonly traits?: Traits | undefined
  readonly sketch: Sketch | undefined
}

/** A visit that has read a page, and what it has read. */
interface ReadVisit extends Visit {
  readonly result: ReadResult
}

/** What the thread that fetched a page has made of it. */
const ofThread = (page: PageResult, { fetched, url }: FinalHop): ReadResult => ({
  document: page.document,
  credits: page.credits,
  bytes: bytesOf(fetched),
  url: url.href,
  status: fetched.status,
  etag: fetched.etag,
  lastModified: fetched.lastModified,
  version: page.contentVersion,
  links: page.links === "" ? [] : page.links.split("\n"),
  refresh: page.refresh,
  traits: page.traits,
  sketch: page.sketch
})

const ofScraper = (
  { document, links, markdown, refresh, shell, sketch }: Scraped,
  traits: Traits | undefined
): ReadResult => {
  const { contentVersion: version, etag, lastModified, statusCode: status, url } = document.metadata
  const credits = PageDocuments.creditsOf(document)
  const read = { document, credits, bytes: bytesOf(document.metadata), url, status, etag, lastModified, version }
  return {
    ...read,
    links: PageUrl.pagesOf(links),
    refresh,
    isEmpty: markdown === "" && links.length === 0,
    ...(shell === undefined ? {} : { shell }),
    traits,
    sketch
  }
}

export const visitedPages = (plan: CrawlPlan, frontier: Frontier.Frontier) => {
  const { rules, settling } = plan

  /** The visit of a page that was read. A session that the site began on the way is removed from the page's URL. */
  const visited = (item: DiscoveredUrl, result: ReadResult, answered: URL): ReadVisit => {
    const landed = PageUrl.plainOf(answered, frontier.identity())
    const { refresh } = result
    const follow = plan.sitemap !== "only" && Scope.isInternal(rules, landed) && result.status < 400
    const found = refresh === undefined ? result.links : [refresh, ...result.links]
    const links = follow ? KnownSecrets.maskedTexts(found) : []
    if (item.kind === "start" && !Scope.admitsStart(rules)) return { ...notAdmitted, links, result }
    const off = leadsOff(rules, result)
    if (off !== undefined) return { ...redirectsOff(off), result }
    const { bytes, credits, document, shell, sketch, status, traits } = result
    const showsTheme = sketch !== undefined && status === 200 && shell !== "empty"
    const visit = { _tag: "Visit", state: "scraped", document, credits, bytes, landed, links, result } as const
    return {
      ...visit,
      ...(traits === undefined ? {} : { traits }),
      ...(showsTheme ? { sketched: { url: landed.href, sketch } } : {}),
      ...(shell === "rendered" ? { isRendered: true } : {})
    }
  }

  /** The traits of a page by the URL that it shows. */
  const traitsAt = (item: DiscoveredUrl, scraped: Scraped, answered: URL): Traits | undefined => {
    if (settling === undefined) return undefined
    const shown = PageUrl.plainOf(PageUrl.normalize(scraped.document.metadata.url) ?? answered, frontier.identity())
    return traitsOf(item.url, shown, scraped, settling)
  }

  return {
    /** A page that the scraper has read, or has kept since an earlier time. */
    ofScraper: (item: DiscoveredUrl, scraped: Scraped, answered = new URL(item.url)): ReadVisit =>
      visited(item, ofScraper(scraped, traitsAt(item, scraped, answered)), answered),

    /** A page that was read by the thread that fetched it. */
    ofThread: (item: DiscoveredUrl, page: PageResult, landed: FinalHop): ReadVisit =>
      visited(item, ofThread(page, landed), landed.url),

    /** An unchanged page: its links are those of the last time, and nothing of it is read. */
    revalidated: (landed: URL, known: KnownPage): Visit => ({
      _tag: "Visit",
      state: "scraped",
      credits: 0,
      landed,
      links: plan.sitemap !== "only" && Scope.isInternal(rules, landed) ? known.links : [],
      isRevalidated: true,
      known,
      ...(known.traits === undefined ? {} : { traits: known.traits })
    }),

    /**
     * The visit with what is remembered for the next crawl, if the page answered at its own URL. `before`: the last
     * crawl's entry.
     */
    remembered: (
      item: DiscoveredUrl,
      { result, ...visit }: ReadVisit,
      at: number,
      before: KnownPage | undefined
    ): Visit => {
      const { etag, lastModified, shell, status, url, version } = result
      const { dataRules: rules, remembers } = plan
      const isKnown = remembers !== undefined && visit.state === "scraped" && visit.isRendered !== true
      if (!isKnown || shell === "empty" || status !== 200 || url !== item.url) return visit
      const { links, traits } = visit
      if (remembers === "comparable" && etag === undefined && lastModified === undefined) {
        return { ...visit, known: contentAlone(url, version, at, traits) }
      }
      return { ...visit, known: readAgain({ url, etag, lastModified, version, rules, at, links, traits }, before) }
    }
  }
}

/** Where an empty page sends its reader by a meta refresh off the domain, which counts as a redirect. */
const leadsOff = (rules: CrawlPlan["rules"], { isEmpty = false, refresh }: ReadResult): URL | undefined => {
  const target = isEmpty && refresh !== undefined ? PageUrl.normalize(refresh) : undefined
  const stays = target === undefined || rules.allowExternalLinks || Scope.isInternal(rules, target)
  return stays ? undefined : target
}

/** What is remembered of a page whose site cannot say that it is unchanged. */
const contentAlone = (url: string, version: number | undefined, at: number, traits: Traits | undefined): KnownPage => ({
  url,
  version,
  at,
  links: [],
  traits: { content: traits?.content },
  isContentAlone: true
})

const bytesOf = ({
  bodyBytes: body,
  wireBytes: wire
}: Pick<FetchResult, "bodyBytes" | "wireBytes">): Bytes | undefined =>
  wire === undefined || body === undefined ? undefined : { wire, body }

/** The end of a page that leads off the domain. */
export const redirectsOff = ({ href }: URL): Visit =>
  failed("EXTERNAL_LINK", `redirects off the domain, to ${href}; allow external links, or start there`)

export const failed = (code: string, error: string): Visit => ({
  _tag: "Visit",
  state: "failed",
  failure: { code, error },
  links: []
})

/** The end of a URL that is a file, which the crawl does not read. `what`: what it is. */
export const notAPage = (what: string): Visit => failed("NOT_A_PAGE", `is a file and no page: ${what}`)

const notAdmitted = failed(
  "PATH_FILTER",
  "the start URL does not pass includePaths and excludePaths, so it is not a result; its links were followed"
)
