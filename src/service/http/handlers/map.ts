/**
 * The handler of the map group: a site's URLs from its sitemaps and from the links of the start page.
 *
 * The start page and its links come first, then the URLs of the sitemaps, in their order there; a page is listed once.
 * `search` keeps URLs with any of its words in the URL, title, description or link text on the start page, those with the
 * most words first.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Struct from "effect/Struct"
import { Api } from "#contract/Api"
import { Forbidden, RequestTimeout } from "#contract/Errors"
import * as Limits from "#contract/Limits"
import type { MapRequest } from "#contract/Map"
import * as PageUrl from "#contract/PageUrl"
import { uuid7 } from "#contract/uuid7"
import { linkTexts } from "#extract/linkTexts"
import * as CookieJar from "#web/CookieJar"
import * as Scope from "#web/CrawlScope"
import type { FetchError } from "#web/Fetch"
import { followRedirects } from "#web/followRedirects"
import * as PageDocuments from "#web/PageDocuments"
import { parsePage } from "#web/PageReader"
import * as PathFilter from "#web/PathFilter"
import { PoliteFetch } from "#web/PoliteFetch"
import { patiently, patientRules } from "#web/patiently"
import * as ScrapePlan from "#web/ScrapePlan"
import * as SitemapWalk from "#web/SitemapWalk"
import { SiteRules } from "#web/SiteRules"

interface Link {
  readonly url: string
  title?: string
  description?: string
  /** The text of the links to it, for a search. */
  text?: string
}

export const layer = HttpApiBuilder.group(
  Api,
  "map",
  Effect.fnUntraced(function* (handlers) {
    const web = { polite: yield* PoliteFetch, siteRules: yield* SiteRules }

    return handlers.handle(
      "map",
      Effect.fnUntraced(function* ({ payload }) {
        const mapResult = yield* collect(payload, web).pipe(
          Effect.timeoutOrElse({
            duration: Duration.millis(payload.timeout ?? 60_000),
            orElse: () =>
              new RequestTimeout({ message: "Request Timeout: the site's map took longer than the timeout" })
          }),
          Effect.catchTag("FetchError", ({ code, message }) => new Forbidden({ message, code }))
        )
        const links = search(mapResult.links, payload.search).slice(0, payload.limit ?? Limits.defaultMapLimit)
        return {
          success: true as const,
          id: uuid7(),
          links: links.map(Struct.omit(["text"])),
          ...(mapResult.warning === undefined ? {} : { warning: mapResult.warning })
        }
      })
    )
  })
)

interface Web {
  readonly polite: PoliteFetch["Service"]
  readonly siteRules: SiteRules["Service"]
}

const collect = Effect.fnUntraced(function* (request: MapRequest, web: Web) {
  const start = new URL(request.url.trim())
  const mapLinks = makeLinks(yield* rulesOf(request, start), request.ignoreQueryParameters ?? false)
  let warning: string | undefined
  const warn = (message: string) => Effect.sync(() => void (warning ??= message))
  /** If the page or the sitemaps fail, the other may still answer; but a blocked address fails the request. */
  const orWarn = Effect.catch((error: FetchError) =>
    error.code === "SCRAPE_ADDRESS_BLOCKED" ? Effect.fail(error) : warn(`${error.url}: ${error.message}`)
  )
  const isSearch = wordsOf(request.search).length > 0
  if (request.sitemap !== "only") yield* orWarn(addPage(start, isSearch, mapLinks, web))
  if (request.sitemap !== "skip") yield* orWarn(addSitemaps(start, warn, mapLinks, web))
  return { links: mapLinks.all(), warning }
})

/** The links that were found, a page once. */
interface Links {
  readonly add: (href: string) => void
  readonly all: () => ReadonlyArray<Link>
  readonly find: (href: string) => Link | undefined
}

const makeLinks = (rules: Scope.Rules, ignoresQuery: boolean): Links => {
  const links = new Map<string, Link>()
  return {
    add: (href) => {
      const url = PageUrl.normalize(href)
      if (url === undefined || !Scope.isInternal(rules, url) || Scope.judge(rules, url, 0) !== "in") return
      const key = PageUrl.key(url, ignoresQuery)
      if (!links.has(key)) links.set(key, { url: url.href })
    },
    all: () => [...links.values()],
    find: (href) => {
      const url = PageUrl.normalize(href)
      return url === undefined ? undefined : links.get(PageUrl.key(url, ignoresQuery))
    }
  }
}

/** Adds the start page, which comes first, and its links; with the texts of the links for a search. */
const addPage = Effect.fnUntraced(function* (start: URL, isSearch: boolean, { add, all, find }: Links, web: Web) {
  const plan = yield* ScrapePlan.ofOptions({ formats: isSearch ? ["links", "rawHtml"] : ["links"] }).pipe(Effect.orDie)
  const jar = CookieJar.empty()
  const get = (hop: URL) =>
    patiently(
      jar.exchange(hop, PageDocuments.fetchOptions(plan, start, hop), (options) => web.polite.get(hop, options, 0))
    )
  const landed = yield* followRedirects(start, get, () => Effect.void, jar)
  const answer = { ...landed.fetched, url: landed.url.href }
  const page = yield* parsePage(answer, plan.page)
  add(landed.url.href)
  const [own] = all()
  const { title, description } = page.metadata
  if (own !== undefined && typeof title === "string") own.title = title
  if (own !== undefined && typeof description === "string") own.description = description
  if (page.refresh !== undefined) add(page.refresh)
  for (const href of page.links) add(href)
  for (const [href, text] of linkTexts(page.rawHtml ?? "", landed.url.href)) {
    const link = find(href)
    if (link !== undefined) link.text = `${link.text ?? ""} ${text}`
  }
})

const addSitemaps = Effect.fnUntraced(function* (
  start: URL,
  warn: (message: string) => Effect.Effect<void>,
  { add }: Links,
  { polite, siteRules }: Web
) {
  const robots = yield* patientRules(siteRules.of(start))
  yield* SitemapWalk.walk({
    from: SitemapWalk.candidates(start, robots.sitemaps),
    get: (url, options) => patiently(polite.get(url, options, 0)),
    found: (urls) => Effect.sync(() => urls.forEach(add)),
    problem: warn
  })
})

const rulesOf = (request: MapRequest, start: URL) =>
  Effect.map(
    Scope.domainOf(start, request.includeSubdomains ?? true),
    (isOfDomain): Scope.Rules => ({
      start,
      maxDiscoveryDepth: undefined,
      crawlEntireDomain: true,
      isOfDomain,
      allowExternalLinks: false,
      filter: PathFilter.everything
    })
  )

const wordsOf = (search: string | undefined): ReadonlyArray<string> =>
  (search ?? "")
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")

const search = (links: ReadonlyArray<Link>, words: string | undefined): ReadonlyArray<Link> => {
  const wanted = wordsOf(words)
  if (wanted.length === 0) return links
  const score = (link: Link) => {
    const text = `${link.url} ${link.title ?? ""} ${link.description ?? ""} ${link.text ?? ""}`.toLowerCase()
    return wanted.filter((word) => text.includes(word)).length
  }
  return links
    .map((link) => ({ link, score: score(link) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ link }) => link)
}
