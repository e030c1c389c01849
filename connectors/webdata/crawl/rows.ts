/**
 * Converts answers of the service to rows: pure functions, a chunk of documents at a time.
 */
import * as KnownSecrets from "#base/KnownSecrets"
import type { CrawlErrors, CrawlRequest } from "#contract/Crawl"
import type { CrawlOutline } from "#contract/CrawlOutline"
import type { PageDocument } from "#contract/PageDocument"
import * as Column from "#engine/Column"
import type * as Table from "#engine/Table"
import { withoutHeaders } from "#engine/withoutHeaders"
import { presenceOf } from "./tables.ts"

/** What the rows of one chunk share. */
export interface Context {
  readonly jobId: string
  /** The crawl's start URL. */
  readonly startUrl: string
  /** When the answer arrived, in milliseconds since the epoch. */
  readonly now: number
}

/** A page document, and the cells of the requested formats. */
export interface Page {
  readonly document: PageDocument
  readonly formatRow: Table.Row
}

const system = (context: Context, sourceUrl: string) => ({
  _fetched_at: Column.timestampFromMillis(context.now),
  _source_url: sourceUrl,
  _job_id: context.jobId
})

export const pages = (context: Context, read: ReadonlyArray<Page>): ReadonlyArray<Table.Row> => {
  const fetchedDate = new Date(context.now).toISOString().slice(0, 10)
  return read.map(({ document, formatRow }) => {
    const { metadata, rawHtml, links, warning } = document
    // What was sent for scripts to fill has no text of the page.
    const { markdown, html } = metadata.unread === undefined ? document : {}
    return {
      url: metadata.url,
      source_url: metadata.sourceURL,
      status_code: metadata.statusCode,
      title: metadata.title ?? null,
      description: metadata.description ?? null,
      language: metadata.language ?? null,
      content_type: metadata.contentType ?? null,
      kind: metadata.pageKind ?? null,
      markdown: markdown ?? null,
      html: html ?? null,
      raw_html: rawHtml ?? null,
      links: links === undefined ? null : KnownSecrets.maskedTexts(links),
      og_locale_alternate: metadata.ogLocaleAlternate ?? null,
      depth: metadata.depth ?? null,
      discovered_from: metadata.discoveredFrom ?? null,
      canonical: typeof metadata["canonical"] === "string" ? KnownSecrets.masked(metadata["canonical"]) : null,
      hreflang: metadata.hreflang ?? null,
      content_hash: metadata.unread === undefined ? (metadata.contentHash ?? null) : null,
      content_version: metadata.contentVersion ?? null,
      etag: metadata.etag ?? null,
      last_modified: metadata.lastModified ?? null,
      elapsed_ms: metadata.elapsedMs ?? null,
      wire_bytes: metadata.wireBytes ?? null,
      body_bytes: metadata.bodyBytes ?? null,
      scrape_id: metadata.scrapeId,
      warning: warning ?? null,
      ...declaredCells(metadata),
      ...formatRow,
      metadata,
      fetched_date: fetchedDate,
      ...system(context, metadata.sourceURL)
    }
  })
}

export const pageLinks = (context: Context, read: ReadonlyArray<Page>): ReadonlyArray<Table.Row> => {
  const hostOf = hosts()
  return read.flatMap(({ document: { metadata, links } }) => {
    const own = hostOf(metadata.url)
    const shared = { page_url: metadata.url, ...system(context, metadata.sourceURL) }
    return KnownSecrets.maskedTexts(links ?? []).map((link, position) => {
      const host = hostOf(link)
      return { ...shared, position, link, host, is_internal: host !== null && host === own }
    })
  })
}

/** A page that was not read: its answer says nothing about its content, or only a browser could have shown it. */
export interface Refusal {
  readonly url: string
  readonly sourceUrl: string
  readonly code: string
  /** In the words of a run's summary. */
  readonly cause: string
  readonly error: string
}

/** The pages with an answer such as 503, and those that were not read as their readers see them. */
export const refused = (read: ReadonlyArray<Page>): ReadonlyArray<Refusal> =>
  read.flatMap(({ document: { metadata, warning } }) => {
    const { error, sourceURL: sourceUrl, statusCode: status, unread, url } = metadata
    switch (presenceOf(status, metadata)) {
      case "failed": {
        const message = error ?? `the site answers ${status}`
        return [{ url, sourceUrl, code: `HTTP_${status}`, cause: `HTTP ${status}`, error: message }]
      }
      case "unread": {
        const code = unread ?? "SCRAPE_ERROR"
        return [{ url, sourceUrl, code, cause: inWords(code), error: warning ?? "the page was not read" }]
      }
      case "seen":
      case "gone":
        return []
    }
  })

export const refusals = (context: Context, refused: ReadonlyArray<Refusal>): ReadonlyArray<Table.Row> =>
  refused.map(({ code, error, sourceUrl, url }) => ({
    url,
    code,
    error,
    error_id: null,
    occurred_at: Column.timestampFromMillis(context.now),
    ...system(context, sourceUrl)
  }))

export const crawlErrors = (context: Context, answer: CrawlErrors): ReadonlyArray<Table.Row> => [
  ...answer.errors.map(({ id, url, code, error, timestamp }) => ({
    url,
    code: code ?? "SCRAPE_ERROR",
    error,
    error_id: id,
    occurred_at: timestamp == null ? null : Column.timestampFromMillis(Date.parse(timestamp)),
    ...system(context, context.startUrl)
  })),
  ...answer.robotsBlocked.map((url) => ({
    url,
    code: "ROBOTS_BLOCKED",
    error: "robots.txt of the site does not allow it",
    error_id: null,
    occurred_at: null,
    ...system(context, context.startUrl)
  }))
]

export const crawlJob = (context: Context, request: CrawlRequest, status: CrawlOutline): Table.Row => ({
  job_id: context.jobId,
  url: context.startUrl,
  status: status.status,
  total: status.total,
  completed: status.completed,
  discovered: status.ledger?.discovered ?? null,
  failed: status.ledger?.failed ?? null,
  blocked: status.ledger?.blocked ?? null,
  left_over: status.ledger?.left ?? null,
  credits_used: status.creditsUsed,
  created_at: Column.timestampFromMillis(Date.parse(status.createdAt)),
  completed_at: status.completedAt === undefined ? null : Column.timestampFromMillis(Date.parse(status.completedAt)),
  duration_seconds: status.duration ?? null,
  warning: status.warning ?? null,
  request: withoutHeaders(request),
  ...system(context, context.startUrl)
})

/**
 * The host of a URL. Links lead to few hosts, and what follows a plain host and its slash does not matter: each
 * beginning is parsed once.
 */
const hosts = () => {
  const known = new Map<string, string | null>()
  return (url: string): string | null => {
    const [origin] = /^https?:\/\/[a-z0-9.-]+(?::\d+)?\//.exec(url) ?? [url]
    const before = known.get(origin)
    if (before !== undefined) return before
    const host = URL.parse(origin)?.host ?? null
    known.set(origin, host)
    return host
  }
}

/** What the head of a page declares, as text columns, so that readers of `pages` need no JSON functions. */

/** The columns, each with the name that the service uses. */
const declared = {
  meta_author: "author",
  meta_keywords: "keywords",
  meta_robots: "robots",
  meta_published: "publishedTime",
  meta_modified: "modifiedTime",
  og_title: "ogTitle",
  og_description: "ogDescription",
  og_type: "ogType",
  og_site_name: "ogSiteName",
  og_url: "ogUrl",
  og_image: "ogImage"
} as const

const columns = Object.entries(declared)

/** The cells of one page, with the page's own values; several values of one name are on separate lines. */
const declaredCells = (metadata: PageDocument["metadata"]): Table.Row => {
  const cells: Record<string, string | null> = {}
  for (const [column, name] of columns) cells[column] = textOf(metadata[name])
  return cells
}

const textOf = (value: unknown): string | null => {
  if (typeof value === "string") return value
  const texts = Array.isArray(value) ? value.filter((each) => typeof each === "string") : []
  return texts.length === 0 ? null : texts.join("\n")
}

/*
 * Why pages could not be read, in the words of a run's summary: "3 of 392 could not be read (2 timed out, first ...)".
 * Tables and the API have the codes.
 */

/** A code that this version does not know is shown as it is. */
export const inWords = (code: string): string => words[code] ?? code

const words: Readonly<Record<string, string>> = {
  CRAWL_RANDOM_WORDS: "with random words that lead to more of them",
  CRAWL_TRAP: "with an endless row of addresses",
  SCRAPE_ACTION_ERROR: "with an action that failed",
  SCRAPE_ADDRESS_BLOCKED: "at a private address",
  SCRAPE_BOT_CHECK: "with a check for bots in place of the page",
  SCRAPE_BROWSER_ERROR: "not shown by the browser",
  SCRAPE_BROWSER_UNAVAILABLE: "not readable without a browser",
  SCRAPE_CONNECTION_ERROR: "with a broken connection",
  SCRAPE_DNS_RESOLUTION_ERROR: "with an unknown host name",
  SCRAPE_ERROR: "for an unknown reason",
  SCRAPE_EXTRACTION_ERROR: "without data",
  SCRAPE_FETCH_ERROR: "not fetched",
  SCRAPE_FILE_BROKEN_ERROR: "with a damaged file",
  SCRAPE_FILE_ENCRYPTED_ERROR: "with a file behind a password",
  SCRAPE_FILE_TIMEOUT_ERROR: "with a file that took too long",
  SCRAPE_FILE_TOO_LARGE_ERROR: "with a file over the limit",
  SCRAPE_HOST_TOO_SLOW: "left on a host that is too slow",
  SCRAPE_INVALID_RESPONSE: "with an invalid answer",
  SCRAPE_NO_CACHED_DATA: "without a stored copy",
  SCRAPE_PAGE_ENDED_PROCESS: "that ended the process",
  SCRAPE_PAGE_TOO_COSTLY: "too costly to read",
  SCRAPE_PAGE_TOO_LARGE: "too large",
  SCRAPE_PROMPT_INJECTION_DETECTED: "with text that instructs its reader",
  SCRAPE_PROXY_ERROR: "lost at the proxy",
  SCRAPE_REDIRECT_ERROR: "with a redirect to no page",
  SCRAPE_REDIRECT_LOOP: "redirected in a circle",
  SCRAPE_ROBOTS_ERROR: "without a readable robots.txt",
  SCRAPE_SITE_DOWN: "of a host that was given up",
  SCRAPE_SITE_ERROR: "answered with an error",
  SCRAPE_PAGE_GONE: "gone",
  SCRAPE_STORE_ERROR: "for want of room on this machine",
  SCRAPE_TIMEOUT: "timed out",
  SCRAPE_TLS_ERROR: "with an invalid certificate",
  SCRAPE_UNKNOWN_ERROR: "for an unknown reason",
  SCRAPE_UNSUPPORTED_FILE_ERROR: "of a kind that is not read"
}
