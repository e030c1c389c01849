/**
 * Why the start page of a crawl could not be read, in words; undefined if it could.
 *
 * A crawl without its start page has not seen the site, so the pages that it found are not the site. Exceptions are
 * crawls of sitemaps only, and a start page that the user's filters exclude.
 */
import * as Predicate from "effect/Predicate"
import type { CrawlErrors, CrawlRequest } from "#contract/Crawl"
import * as PageUrl from "#contract/PageUrl"

type Request = Pick<
  CrawlRequest,
  "url" | "sitemap" | "includePaths" | "excludePaths" | "regexOnFullURL" | "ignoreQueryParameters"
>

/** By the documents of the service. For a start that redirects, the status of its target counts. */
export const refusedStart = (request: Request, documents: ReadonlyArray<unknown>): string | undefined => {
  if (request.sitemap === "only") return undefined
  const isStart = startOf(request)
  for (const document of documents) {
    const metadata = Predicate.hasProperty(document, "metadata") ? document.metadata : undefined
    if (!Predicate.hasProperty(metadata, "statusCode") || typeof metadata.statusCode !== "number") continue
    const urls = [
      Predicate.hasProperty(metadata, "sourceURL") ? metadata.sourceURL : undefined,
      Predicate.hasProperty(metadata, "url") ? metadata.url : undefined
    ]
    const { statusCode: status } = metadata
    if (status >= 200 && status < 300) continue
    if (urls.some((url) => typeof url === "string" && isStart(url))) {
      return `the start page ${request.url} answers ${status}, ${unloaded}; ${adviceOf(status)}`
    }
  }
  return undefined
}

/** By what the service could not read, as it reports at the end. */
export const unreadStart = (request: Request, { errors, robotsBlocked }: CrawlErrors): string | undefined => {
  if (request.sitemap === "only") return undefined
  const isStart = startOf(request)
  if (robotsBlocked.some(isStart) && !isLeftOut(request)) {
    return (
      `robots.txt of the site forbids the start page ${request.url}, ${unloaded}; begin at a page that it allows, ` +
      "or ask the owner of the site"
    )
  }
  const failed = errors.find(({ code, url }) => code !== "PATH_FILTER" && isStart(url))
  if (failed === undefined) return undefined
  const code = failed.code == null ? "" : `${failed.code}: `
  return `the start page ${request.url} could not be read, ${unloaded}: ${code}${failed.error}`
}

const unloaded = "so nothing is loaded and stored rows stay as they are"

const adviceOf = (status: number): string => {
  if (status === 404 || status === 410) return "correct `url`, where the crawl starts"
  if (status === 401 || status === 403)
    return "begin at another page, or send the headers that the site needs in scrapeOptions.headers"
  return "run it again when the site works"
}

const startOf = ({ ignoreQueryParameters, url }: Request) => {
  const spelled = (href: string): string | undefined => {
    const plain = PageUrl.normalize(href)
    if (plain !== undefined && ignoreQueryParameters === true) plain.search = ""
    return plain?.href
  }
  const start = spelled(url)
  return (href: string): boolean => start !== undefined && spelled(href) === start
}

/**
 * Whether the user's own filters exclude the start. A pattern that only RE2 understands is taken to exclude nothing.
 */
const isLeftOut = ({ excludePaths, includePaths, regexOnFullURL, url: start }: Request): boolean => {
  const url = PageUrl.normalize(start)
  if (url === undefined) return false
  const subject = regexOnFullURL === true ? url.href : url.pathname
  const matches = (patterns: ReadonlyArray<string>): boolean | undefined => {
    try {
      return patterns.some((pattern) => new RegExp(pattern, "u").test(subject))
    } catch {
      return undefined
    }
  }
  const included = (includePaths ?? []).length === 0 || matches(includePaths ?? []) !== false
  return !included || matches(excludePaths ?? []) === true
}
