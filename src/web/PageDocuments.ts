/** Makes the page document of the contract from a page that was read, and prepares the options for its fetch. */

import type * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import type { FormatName } from "#contract/Formats"
import type { ActionResults, PageDocument } from "#contract/PageDocument"
import * as PageUrl from "#contract/PageUrl"
import { contentHash } from "#page/contentHash"
import type * as Page from "#page/Page"
import type { ShellEvidence } from "#page/scriptShell"
import type * as Fetch from "./Fetch.ts"
import type { ScrapePlan } from "./ScrapePlan.ts"

/** A page that was read: from an answer, from a browser or from a file. */
export interface Reading {
  readonly page: Page.Page
  readonly url: URL
  readonly status: number
  readonly contentType: string | undefined
  /** The exchange that delivered it. */
  readonly exchange?: {
    readonly elapsedMillis?: number | undefined
    readonly etag?: string | undefined
    readonly lastModified?: string | undefined
    readonly wireBytes?: number | undefined
    readonly bodyBytes?: number | undefined
  }
  /** Its cost without that of the formats. */
  readonly credits: number
  /** The pages of a file that were read, and those that it has. */
  readonly numPages?: number
  readonly totalPages?: number
  readonly pages?: PageDocument["pages"]
  readonly screenshot?: string
  readonly actions?: ActionResults
  /** If the site sends a shell that scripts fill: whether this is the page as sent, or as a browser shows it. */
  readonly shell?: "empty" | "rendered"
  /** If it was not read as its reader sees it: the code of the reason. */
  readonly unread?: string
  /** The evidence that the page is only a shell, if a thread or a browser has read it. */
  readonly shellEvidence?: ShellEvidence | undefined
  /** What was left out, each as a sentence. */
  readonly warnings: ReadonlyArray<string>
}

/** The request for the page. */
export interface PageToScrape {
  readonly url: string
  readonly scrapeId: string
  readonly teamId: string
  /** Whether the page is kept for later requests, if the options do not say. */
  readonly keeps: boolean
  /** The time to keep between two exchanges with the page's host. */
  readonly delayMillis: number
  /** The page whose host gets the caller's headers; undefined: the page itself. */
  readonly home?: URL
  /** Whether robots.txt allows to ask for another page of the site; absent: nobody has to know. */
  readonly mayAsk?: (url: URL) => Effect.Effect<boolean>
  /** Whether a browser has shown pages of the site before, which are kept. */
  readonly isSiteRendered?: boolean
}

/** Makes what needs only the page itself; `Scraper` adds formats that need more. */
export const of = (
  reading: Reading,
  plan: Pick<ScrapePlan, "formats" | "isExtended" | "tracksJson">,
  order: Pick<PageToScrape, "url" | "scrapeId">
): PageDocument => {
  const { page } = reading
  const has = (format: FormatName) => plan.formats.has(format)
  return {
    ...(has("markdown") && page.markdown !== undefined ? { markdown: page.markdown } : {}),
    ...(has("html") && page.html !== undefined ? { html: page.html } : {}),
    ...(has("rawHtml") && page.rawHtml !== undefined ? { rawHtml: page.rawHtml } : {}),
    ...(has("links") ? { links: page.links } : {}),
    ...(has("images") ? { images: page.images ?? [] } : {}),
    ...(has("attributes") ? { attributes: page.attributes ?? [] } : {}),
    ...(reading.screenshot === undefined ? {} : { screenshot: reading.screenshot }),
    ...(reading.actions === undefined ? {} : { actions: reading.actions }),
    ...(reading.pages === undefined ? {} : { pages: reading.pages }),
    ...warningOf(reading),
    metadata: {
      ...ownWordsOf(page.metadata),
      sourceURL: order.url,
      url: reading.url.href,
      statusCode: reading.status,
      ...(reading.status < 400 ? {} : { error: `the site answers ${reading.status}` }),
      ...(reading.unread === undefined ? {} : { unread: reading.unread }),
      ...(reading.contentType === undefined ? {} : { contentType: reading.contentType }),
      ...mainContentOf(page),
      ...(plan.isExtended === true ? extensionsOf(reading) : {}),
      ...(reading.numPages === undefined ? {} : { numPages: reading.numPages }),
      ...(reading.totalPages === undefined ? {} : { totalPages: reading.totalPages }),
      scrapeId: order.scrapeId,
      proxyUsed: "basic",
      cacheState: "miss",
      creditsUsed: reading.credits + leastCredits(plan) - 1
    }
  }
}

/** A warning that several parts of the page have is said once. */
const warningOf = ({ page, warnings }: Reading): Pick<PageDocument, "warning"> => {
  const all = new Set([...warnings, ...(page.warnings ?? [])])
  return all.size === 0 ? {} : { warning: [...all].join("; ") }
}

/** The finder of the main content, and the kind of page that it recognised: needed to compare texts. */
const mainContentOf = ({ contentVersion, kind, markdown }: Page.Page): Partial<PageDocument["metadata"]> =>
  kind === undefined || contentVersion === undefined || markdown === undefined ? {} : { pageKind: kind, contentVersion }

/** The version of the content finder that read the page's text, if one did. */
export const contentVersionOf = (page: Page.Page): number | undefined => mainContentOf(page).contentVersion

const extensionsOf = ({ exchange = {}, page }: Reading): Partial<PageDocument["metadata"]> => {
  const { bodyBytes, elapsedMillis, etag, lastModified, wireBytes } = exchange
  return {
    ...(page.markdown === undefined ? {} : { contentHash: contentHash(page) }),
    ...(page.hreflang === undefined ? {} : { hreflang: page.hreflang }),
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined ? {} : { lastModified }),
    ...(elapsedMillis === undefined ? {} : { elapsedMs: elapsedMillis }),
    ...(wireBytes === undefined ? {} : { wireBytes }),
    ...(bodyBytes === undefined ? {} : { bodyBytes })
  }
}

/** The page's own metadata, without names that only we may set: a page may have a `<meta>` named `depth`. */
const ownWordsOf = (metadata: Page.Page["metadata"]): Page.Page["metadata"] =>
  reserved.some((name) => name in metadata) ? Struct.omit(metadata, reserved) : metadata

const reserved = [
  "pageKind",
  "contentVersion",
  "contentHash",
  "etag",
  "lastModified",
  "elapsedMs",
  "wireBytes",
  "bodyBytes",
  "hreflang",
  "depth",
  "discoveredFrom",
  "numPages",
  "totalPages",
  "cachedAt",
  "error",
  "unread"
] as const

/** What the format json costs in addition to the page (specification, Limits). */
const jsonCredits = 4

/** The minimum cost of a page, before it is known how many pages its file has. */
export const leastCredits = ({ formats, tracksJson }: Pick<ScrapePlan, "formats" | "tracksJson">): number =>
  1 + (formats.has("json") || tracksJson ? jsonCredits : 0)

/** What a document cost (specification, Limits: crawl billing). */
export const creditsOf = ({ metadata }: PageDocument): number =>
  typeof metadata["creditsUsed"] === "number" ? metadata["creditsUsed"] : 1

/**
 * The fetch options of a page, by its scrape options. The caller's headers are sent to the host of `home`, for which
 * they were given, and not unencrypted if `home` is encrypted. Another host, reached by a link or a redirect, gets only
 * headers that contain no secrets.
 */
export const fetchOptions = ({ options, timeoutMillis }: ScrapePlan, home: URL, target: URL): Fetch.Options => {
  const languages = options.location?.languages ?? []
  const isExposed = home.protocol === "https:" && target.protocol === "http:"
  const isHome = PageUrl.bareHost(home) === PageUrl.bareHost(target) && !isExposed
  const headers = Object.entries(options.headers ?? {})
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !framing.has(name) && (isHome || harmless.has(name)))
  return {
    timeoutMillis,
    skipTlsVerification: options.skipTlsVerification ?? false,
    headers: {
      ...(languages.length > 0 ? { "accept-language": languages.join(", ") } : {}),
      ...Object.fromEntries(headers)
    }
  }
}

/** Headers of the exchange itself, which the caller may not set. */
const framing = new Set(
  "host connection content-length transfer-encoding upgrade keep-alive expect te trailer accept-encoding".split(" ")
)

/** Headers that say who we are and what we can read. A header with any other name may contain a secret. */
const harmless = new Set(
  "accept accept-charset accept-language cache-control dnt pragma priority referer save-data user-agent".split(" ")
)
