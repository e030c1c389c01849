/**
 * What a thread is to make of the page that it fetches, and what it has made: small, and all of it can cross to a thread.
 */
import type { FormatName } from "../../api/Formats.ts"
import type * as Page from "../../html/Page.ts"
import type { Traits } from "../frontier/CrawlUrl.ts"
import type { ScrapePlan } from "./ScrapePlan.ts"

export interface PageOrder {
  /** The URL that was asked for: before redirects. */
  readonly asked: string
  readonly scrapeId: string
  /** Bytes that came on the way, from redirects; default: 0. */
  readonly wireBytesBefore?: number
  readonly reading: Reading
  /** What a crawl that settles wants to know of the page: for this spelling of its URL, and by this budget. */
  readonly traits: { readonly landed: string; readonly trapBudget: number } | undefined
}

/** The part of a plan that says how a page is read. */
export interface Reading {
  readonly formats: ReadonlySet<FormatName>
  readonly page: Page.PageOptions
  readonly isExtended: boolean
}

/** A page that was read by the thread that fetched it. */
export interface ReadPage {
  /** The document (`PageDocumentBytes`). */
  readonly document: Uint8Array
  readonly contentVersion: number | undefined
  readonly credits: number
  /** The pages that it links to (`PageUrl.pagesOf`), joined by line feeds; empty: none. */
  readonly links: string
  readonly refresh: string | undefined
  readonly traits: Traits | undefined
}

/** Undefined: pages of this plan need more than themselves. */
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
