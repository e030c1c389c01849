/** Makes the page document of the contract from what was read of a page, and prepares the options for its fetch. */

import * as crypto from "node:crypto"
import * as Struct from "effect/Struct"
import type { FormatName } from "../../api/Formats.ts"
import type { ActionResults, PageDocument } from "../../api/PageDocument.ts"
import * as PageUrl from "../../api/PageUrl.ts"
import { contentVersion } from "../../html/content/version.ts"
import type * as Page from "../../html/Page.ts"
import type * as Fetch from "../fetch/Fetch.ts"
import type { ScrapePlan } from "./ScrapePlan.ts"

/** A page that was read, whatever it was read from: an answer, a browser, a file. */
export interface Reading {
  readonly page: Page.Page
  readonly url: URL
  readonly status: number
  readonly contentType: string | undefined
  /** What the exchange says that brought it. */
  readonly exchange?: {
    readonly elapsedMillis?: number | undefined
    readonly etag?: string | undefined
    readonly lastModified?: string | undefined
    readonly wireBytes?: number | undefined
    readonly bodyBytes?: number | undefined
  }
  /** What it costs, before what the formats add. */
  readonly credits: number
  readonly numPages?: number
  readonly pages?: PageDocument["pages"]
  readonly screenshot?: string
  readonly actions?: ActionResults
  /** Where the page is sent as a shell that scripts fill: as it was sent, or as a browser shows it. */
  readonly shell?: "empty" | "rendered"
  /** Whether the answer is only what scripts fill, where a thread has looked. */
  readonly isScriptShell?: boolean
  /** What was left out, each as a sentence. */
  readonly warnings: ReadonlyArray<string>
}

/** Who asked for the page, and as what. */
export interface Asked {
  readonly url: string
  readonly scrapeId: string
  readonly teamId: string
  /** Whether the page is kept for later requests where the options do not say. */
  readonly keeps: boolean
  /** The distance to keep between two exchanges with the page's host. */
  readonly delayMillis: number
  /** Whose host the caller's headers are for; undefined: the page's own. */
  readonly home?: URL
}

/** What needs no more than the page itself; formats that need more are added by `Scraper`. */
export const make = (
  reading: Reading,
  plan: Pick<ScrapePlan, "formats" | "isExtended" | "tracksJson">,
  asked: Pick<Asked, "url" | "scrapeId">
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
    ...(reading.warnings.length === 0 ? {} : { warning: reading.warnings.join("; ") }),
    metadata: {
      ...ownWordsOf(page.metadata),
      sourceURL: asked.url,
      url: reading.url.href,
      statusCode: reading.status,
      ...(reading.status < 400 ? {} : { error: `the site answers ${reading.status}` }),
      ...(reading.contentType === undefined ? {} : { contentType: reading.contentType }),
      ...mainContentOf(page),
      ...(plan.isExtended === true ? extensionsOf(reading) : {}),
      ...(reading.numPages === undefined ? {} : { numPages: reading.numPages, totalPages: reading.numPages }),
      scrapeId: asked.scrapeId,
      proxyUsed: "basic",
      cacheState: "miss",
      creditsUsed: reading.credits + leastCredits(plan) - 1
    }
  }
}

/** The finder that found the main content, and what kind of page it took it for: who compares texts has to know. */
const mainContentOf = ({ kind, markdown }: Page.Page): Partial<PageDocument["metadata"]> =>
  kind === undefined || markdown === undefined ? {} : { pageKind: kind, contentVersion }

/** The version of the finder that the text of a page was read with, where it was. */
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

/** What the page says of itself, without what only we say: a page may call a `<meta>` of its own `depth`. */
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
  "error"
] as const

/** SHA-256 of title, description and Markdown, as they were read: bytes have nonces, text seldom. */
const contentHash = ({ markdown = "", metadata: { description = "", title = "" } }: Page.Page): string =>
  crypto.hash("sha256", `${String(title)}\n${String(description)}\n${markdown}`)

/** What the format json costs beside the page (specification, Limits). */
const jsonCredits = 4

/** What a page costs at least, before it is known how many pages its file has. */
export const leastCredits = ({ formats, tracksJson }: Pick<ScrapePlan, "formats" | "tracksJson">): number =>
  1 + (formats.has("json") || tracksJson ? jsonCredits : 0)

/** What a document cost (specification, Limits: crawl billing). */
export const creditsOf = ({ metadata }: PageDocument): number =>
  typeof metadata["creditsUsed"] === "number" ? metadata["creditsUsed"] : 1

/**
 * What the fetch of a page is told by its scrape options. The caller's headers go to the host that they were given for, that
 * of `home`, and not in the open where `home` is encrypted. Another host, reached by a link or a redirect, sees only those
 * that nobody keeps secrets in.
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

/** Headers that frame the exchange itself are not the caller's to set. */
const framing = new Set(
  "host connection content-length transfer-encoding upgrade keep-alive expect te trailer accept-encoding".split(" ")
)

/** Headers that say who we are and what we can read. Any other name may have a secret in it, whatever it is called. */
const harmless = new Set(
  "accept accept-charset accept-language cache-control dnt pragma priority referer save-data user-agent".split(" ")
)
