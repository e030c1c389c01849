/**
 * What a thread is to make of the page that it fetches, and its result. Both are small and can be sent to a thread.
 */
import type { FormatName } from "#contract/Formats"
import type * as Page from "#page/Page"
import type { Sketch } from "#page/Theme"
import type { Traits } from "./CrawlUrl.ts"
import type { ScrapePlan } from "./ScrapePlan.ts"

export interface PageRequest {
  /** The requested URL, before redirects. */
  readonly requestedUrl: string
  readonly scrapeId: string
  /** The bytes received from redirects before; default: 0. */
  readonly wireBytesBefore?: number
  readonly reading: Reading
  /** The traits that a crawl that settles needs, for this spelling of the URL and this budget. */
  readonly traits: { readonly landed: string; readonly trapBudget: number } | undefined
}

/** The part of a plan that says how a page is read. */
interface Reading {
  readonly formats: ReadonlySet<FormatName>
  readonly page: Page.PageOptions
  readonly isExtended: boolean
}

/** A page, read by the thread that fetched it. */
export interface PageResult {
  /** The document (`PageDocumentBytes`). */
  readonly document: Uint8Array
  readonly contentVersion: number | undefined
  readonly credits: number
  /** The pages that it links to (`PageUrl.pagesOf`), joined by line feeds; empty: none. */
  readonly links: string
  readonly refresh: string | undefined
  readonly traits: Traits | undefined
  readonly sketch?: Sketch | undefined
}

/** Undefined: pages of this plan cannot be read from the page alone. */
export const readingOf = (plan: ScrapePlan, keeps: boolean): Reading | undefined => {
  const { formats, isExtended = false, keepsNothing = false, needsBrowser, options, page, tracksJson } = plan
  const isKept = !keepsNothing && (options.storeInCache ?? keeps)
  if (needsBrowser || isKept || tracksJson || page.choice?.wanted !== undefined) return undefined
  if (!Array.from(formats).every((name) => plain.has(name))) return undefined
  const { choice: _, ...own } = page
  return { formats, page: own, isExtended }
}

/** Formats that are made of the page alone, in one pass. */
const plain: ReadonlySet<FormatName> = new Set<FormatName>(["markdown", "html", "rawHtml", "links", "images"])
