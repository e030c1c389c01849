/**
 * Finds every URL that a site's sitemaps list: those of robots.txt, and the two usual places; through indexes, gzipped
 * or not.
 *
 * A missing sitemap is not reported. All sitemaps that could not be read are one problem, reported at the end, because
 * a crawl without their pages must not look complete. A walk ends, however the indexes refer to each other. Many sites
 * answer every URL with a page: at a place that nobody named, such an answer means that there is no sitemap.
 */
import * as Effect from "effect/Effect"
import * as PageUrl from "#contract/PageUrl"
import * as CookieJar from "./CookieJar.ts"
import type * as Fetch from "./Fetch.ts"
import { followRedirects } from "./followRedirects.ts"
import * as Sitemap from "./frontier/Sitemap.ts"

/** The maximum number of files that one walk reads. */
const maxFiles = 1000

/** Where a sitemap may be, whether the site names it, and whether it is tried only if there is no other. */
interface Candidate {
  readonly url: string
  readonly isNamed: boolean
  readonly isLast?: boolean
}

/**
 * The possible sitemaps of a crawl from `start`: robots.txt's, then the start's own folder, then the root. If none of them is one,
 * the places where the programs of many sites have theirs.
 */
export const candidates = (start: URL, fromRobots: ReadonlyArray<string>): ReadonlyArray<Candidate> => {
  const named = new Set(fromRobots)
  const usual = [new URL("./sitemap.xml", start).href, new URL("/sitemap.xml", start).href]
  const others = ["/sitemap_index.xml", "/wp-sitemap.xml"].map((path) => new URL(path, start).href)
  return [
    ...[...new Set([...named, ...usual])].map((url) => ({ url, isNamed: named.has(url) })),
    ...others.filter((url) => !named.has(url)).map((url) => ({ url, isNamed: false, isLast: true }))
  ]
}

/** A sitemap that could not be read, and why, as a predicate: "answered 503". */
interface Unread {
  readonly url: string
  readonly why: string
}

/** Calls `found` with each file's URLs as it is read, and `problem` at most once. */
export const walk = Effect.fnUntraced(function* <E, R>(options: {
  readonly from: ReadonlyArray<Candidate>
  readonly get: (url: URL, options: Fetch.Options) => Effect.Effect<Fetch.FetchResult, Fetch.FetchError>
  readonly found: (urls: ReadonlyArray<string>) => Effect.Effect<void, E, R>
  readonly problem: (message: string) => Effect.Effect<void, E, R>
  /** Called for each page with its date of change in the file, before `found`. */
  readonly listed?: (url: string, lastmod: string | undefined) => void
}) {
  const queue = options.from.filter(({ isLast }) => isLast !== true)
  const last = options.from.filter(({ isLast }) => isLast === true)
  const unread: Array<Unread> = []
  const knownUrls = new Set(options.from.map(({ url }) => url))
  // A site that admits nobody without its cookie sets it with a redirect.
  const jar = CookieJar.empty()
  const fetchOptions = { timeoutMillis: 60_000, maxBytes: Sitemap.maxBytes }
  let isFound = false
  for (let read = 0; read < maxFiles; read++) {
    const candidate = queue.shift() ?? (isFound ? undefined : last.shift())
    if (candidate === undefined) break
    const url = PageUrl.normalize(candidate.url)
    if (url === undefined) continue
    const landed = yield* followRedirects(
      url,
      (hop) => jar.exchange(hop, fetchOptions, (sent) => options.get(hop, sent)),
      () => Effect.void,
      jar
    ).pipe(
      Effect.catchTag("FetchError", (error) =>
        Effect.sync(() => void unread.push({ url: url.href, why: `cannot be fetched: ${error.message}` }))
      )
    )
    if (landed === undefined) continue
    const { body, contentType, status } = landed.fetched
    if (status >= 400) {
      if (mayBeThere(status, candidate)) unread.push({ url: url.href, why: `answered ${status}` })
      continue
    }
    const sitemap = Sitemap.parse(body, landed.url.href, contentType)
    if (!sitemap.isSitemap && !candidate.isNamed) continue
    isFound ||= sitemap.isSitemap
    if (sitemap.problem !== undefined) unread.push({ url: url.href, why: `is not readable: ${sitemap.problem}` })
    for (const { loc: next } of sitemap.sitemaps) {
      if (!knownUrls.has(next)) queue.push({ url: next, isNamed: true })
      knownUrls.add(next)
    }
    if (options.listed !== undefined) {
      for (const { lastmod, loc } of sitemap.urls) options.listed(PageUrl.normalize(loc)?.href ?? loc, lastmod)
    }
    yield* options.found(sitemap.urls.map(({ loc }) => loc))
  }
  for (const { url } of queue) unread.push({ url, why: `was not read: these are more than ${maxFiles}` })
  const [first] = unread
  if (first !== undefined) yield* options.problem(inWords(first, unread))
})

/** Whether an unreadable sitemap may exist. One that the site does not name exists only if an answer suggests it. */
const mayBeThere = (status: number, { isNamed }: Candidate): boolean =>
  status >= 500 || status === 429 || (isNamed && status !== 404 && status !== 410)

/** Names some of them, so that problems of different days can be distinguished. */
const inWords = ({ url, why }: Unread, unread: ReadonlyArray<Unread>): string => {
  if (unread.length === 1) return `the sitemap ${url} ${why}`
  const names = unread.slice(0, mostNamed).map((one) => one.url)
  return `${unread.length} sitemaps could not be read (${names.join(", ")}): the first ${why}`
}
const mostNamed = 10
