/**
 * The result of a visit that read a page or found it unchanged: its document, the links to follow, and its traits.
 */
import * as PageUrl from "#contract/PageUrl"
import type { CrawlPlan } from "./CrawlPlan.ts"
import * as Scope from "./CrawlScope.ts"
import type { Bytes, DiscoveredUrl, Failure, KnownPage, Result, Traits } from "./CrawlUrl.ts"
import type { Landed } from "./followRedirects.ts"
import type * as Frontier from "./frontier/Frontier.ts"
import * as PageDocuments from "./PageDocuments.ts"
import type { ReadPage } from "./PageOrder.ts"
import type { Fetched } from "./PlainGet.ts"
import { readAgain } from "./Revalidation.ts"
import type { Scraped } from "./Scraper.ts"
import { traitsOf } from "./scrape/traitsOf.ts"

/** How a visit ended, before the end is written. */
export interface Visit {
  readonly _tag: "Visit"
  readonly state: "scraped" | "failed" | "blocked" | "alias"
  readonly document?: Result
  readonly credits?: number
  /** The bytes received for the page; undefined: unknown. */
  readonly bytes?: Bytes | undefined
  readonly landed?: URL
  readonly failure?: Omit<Failure, "id" | "url">
  readonly links: ReadonlyArray<string>
  readonly traits?: Traits
  /** Whether the page is a rendered application, whose hash routes are pages. */
  readonly hasRoutes?: boolean
  readonly isRevalidated?: boolean
  readonly known?: KnownPage
}

/** A page that was read, with the answer of its site. */
interface Had extends Visit {
  readonly answer: Answer
}

interface Answer extends Pick<KnownPage, "url" | "version"> {
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
  readonly status: number
  /** Whether it was not read as its reader sees it, so that it must be read again. */
  readonly isUnread?: boolean
}

export const visitedPages = (plan: CrawlPlan, frontier: Frontier.Frontier) => {
  const { rules } = plan

  /** The links to follow. A session that the site began on the way is removed from the page's URL. */
  const followed = (answered: URL, status: number, found: ReadonlyArray<string>, refresh: string | undefined) => {
    const landed = PageUrl.plainOf(answered, frontier.identity())
    const follow = plan.sitemap !== "only" && Scope.isInternal(rules, landed) && status < 400
    return { landed, links: follow ? (refresh === undefined ? found : [refresh, ...found]) : [] }
  }
  /** Where an empty page sends its reader by a meta refresh off the domain, which counts as a redirect. */
  const leadsOff = ({ links, markdown, refresh }: Scraped): URL | undefined => {
    const target =
      markdown === "" && links.length === 0 && refresh !== undefined ? PageUrl.normalize(refresh) : undefined
    const stays = target === undefined || rules.allowExternalLinks || Scope.isInternal(rules, target)
    return stays ? undefined : target
  }
  const isNoResult = ({ kind }: DiscoveredUrl) => kind === "start" && !Scope.admitsStart(rules)

  return {
    /** A page that this thread has read. */
    visited: (item: DiscoveredUrl, scraped: Scraped, answered = new URL(item.url)): Had => {
      const { document, links: found, refresh, shell } = scraped
      const { contentVersion: version, etag, lastModified, statusCode: status, url } = document.metadata
      const { landed, links } = followed(answered, status, PageUrl.pagesOf(found), refresh)
      const answer: Answer = { url, version, etag, lastModified, status, isUnread: shell === "empty" }
      if (isNoResult(item)) return { ...notAdmitted, links, answer }
      const off = leadsOff(scraped)
      if (off !== undefined) return { ...redirectsOff(off), answer }
      const shown = PageUrl.normalize(url) ?? landed
      const traits =
        plan.settling === undefined
          ? {}
          : { traits: traitsOf(item.url, PageUrl.plainOf(shown, frontier.identity()), scraped, plan.settling) }
      const routes = shell === "rendered" ? { hasRoutes: true } : {}
      const credits = PageDocuments.creditsOf(document)
      const bytes = bytesOf(document.metadata)
      const visit = { _tag: "Visit", state: "scraped", document, credits, bytes, landed, links, answer } as const
      return { ...visit, ...traits, ...routes }
    },

    /** A page that was read by the thread that fetched it. */
    readThere: (item: DiscoveredUrl, page: ReadPage, { fetched, url }: Landed): Had => {
      const { contentVersion: version, credits, document, links: found, refresh, traits } = page
      const { etag, lastModified, status } = fetched
      const { landed, links } = followed(url, status, found === "" ? [] : found.split("\n"), refresh)
      const answer: Answer = { url: url.href, version, etag, lastModified, status }
      if (isNoResult(item)) return { ...notAdmitted, links, answer }
      const bytes = bytesOf(fetched)
      const visit = { _tag: "Visit", state: "scraped", document, credits, bytes, landed, links, answer } as const
      return traits === undefined ? visit : { ...visit, traits }
    },

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
    remembered: (item: DiscoveredUrl, { answer, ...visit }: Had, at: number, before: KnownPage | undefined): Visit => {
      const { etag, isUnread = false, lastModified, status, url, version } = answer
      const { dataRules: rules, remembers } = plan
      const isKnown = remembers !== undefined && visit.state === "scraped" && visit.hasRoutes !== true
      if (!isKnown || isUnread || status !== 200 || url !== item.url) return visit
      if (remembers === "comparable" && etag === undefined && lastModified === undefined) return visit
      const { links, traits } = visit
      return { ...visit, known: readAgain({ url, etag, lastModified, version, rules, at, links, traits }, before) }
    }
  }
}

const bytesOf = ({ bodyBytes: body, wireBytes: wire }: Pick<Fetched, "bodyBytes" | "wireBytes">): Bytes | undefined =>
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
