/**
 * A URL in a job's ledger, and how it ends.
 */
import type * as Effect from "effect/Effect"
import type { PageDocument } from "#contract/PageDocument"
import type { SketchedPage } from "#page/Theme"
import type { StoreError } from "./StoreError.ts"

/** How a URL was found: it decides whether its links are followed. */
export type Kind = "start" | "sitemap" | "link" | "external"

/**
 * queued: waits. scraped: gave a document. failed: an error. blocked: by robots.txt. alias: redirects to, or is, a page
 * that another URL gave. left: the crawl ended first, by its limit or because it was cancelled, or the URL belongs to
 * an endless series.
 */
export type UrlState = "queued" | "scraped" | "failed" | "blocked" | "alias" | "left"

export interface DiscoveredUrl {
  readonly seq: number
  readonly key: string
  readonly url: string
  /** Hops from the start; a URL from a sitemap has the depth of the start. */
  readonly depth: number
  readonly kind: Kind
  readonly state: UrlState
  /** The number of the page that links here: of those one hop nearer, the one with the least URL. */
  readonly from?: number | null
  /** For an alias: the number of the URL that gave the page. */
  readonly aliasOf?: number | null
  /** The URL that answered, if it differs. */
  readonly landed?: string | null
  /** Whether it was being read when a process ended. */
  readonly isSuspect?: boolean
}

/** What is learned about a queued URL after it was entered. */
export type Change =
  /** It was found under another spelling. */
  | { readonly _tag: "Spelling"; readonly seq: number; readonly url: string }
  /** A page with a lesser URL also links there. */
  | { readonly _tag: "From"; readonly seq: number; readonly from: number }
  /** It is nearer than the links said: a sitemap lists it, in this spelling if the spelling counts. */
  | {
      readonly _tag: "Nearer"
      readonly seq: number
      readonly url?: string
      readonly depth: number
      readonly was: number
      readonly kind: Kind
    }

/** The document of a page, or the bytes that a thread made of it; or what a job keeps instead, as JSON. */
export type Result = PageDocument | Uint8Array | string

/** The size of a page: as received, with the bodies of redirects before it, and decompressed. */
export interface Bytes {
  readonly wire: number
  readonly body: number
}

export interface Failure {
  readonly id: string
  readonly url: string
  readonly code: string | null
  readonly error: string
}

/** How one URL ended, and what it gave. */
export interface Settlement {
  readonly seq: number
  readonly state: UrlState
  /** The key of the page that finally answered; for a redirect, it differs from its own. */
  readonly landedKey: string
  readonly page?: {
    readonly seq: number
    readonly document: Result
    readonly credits: number
    readonly bytes?: Bytes | undefined
  }
  /** If it failed, its own failure comes first. */
  readonly failures: ReadonlyArray<Failure>
  readonly discovered: ReadonlyArray<DiscoveredUrl>
  readonly aliasOf?: number | undefined
  /** Queued URLs whose page this one has taken over: they end as its aliases. */
  readonly overtaken?: ReadonlyArray<number> | undefined
  /** What decides which pages are one. */
  readonly traits?: Traits | undefined
  readonly changes?: ReadonlyArray<Change> | undefined
  /** Whether the site says that the page has not changed since the last crawl: then there is no document. */
  readonly isRevalidated?: boolean | undefined
  /** Whether a browser showed it, as its scripts fill it. */
  readonly isRendered?: boolean | undefined
  /** What the page shows of the theme of its host. */
  readonly sketched?: SketchedPage | undefined
  /** What is remembered for the next crawl. */
  readonly known?: KnownPage | undefined
  /** Written in the same transaction. */
  readonly also?: Effect.Effect<void, StoreError>
}

/** What identifies the content of a page: hashes, as short texts. */
export interface Traits {
  /** The URL that answered, if it is not the requested one. */
  readonly landed?: string | undefined
  /** The canonical URL that the page declares, if it differs. */
  readonly canonical?: string | undefined
  /** The hash of its text. */
  readonly content?: string | undefined
  /** The hash of its meaning, if it was needed. */
  readonly meaning?: string | undefined
  /**
   * The hash of its words without dates, if its URL could belong to an endless series; after a space the sketch of its
   * text, if it is one of those that are looked at for random words (`withSketch`).
   */
  readonly template?: string | undefined
}

/** A page that answered with 200 at its own URL. Encodes to JSON. */
export interface KnownPage {
  readonly url: string
  /** As the site sent them. */
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
  /** The version of the content finder that read it, if main content was looked for. */
  readonly version?: number | undefined
  /** The version of the rules that extracted its data, if data was requested. */
  readonly rules?: number | undefined
  /** When the site last confirmed its content, in milliseconds since the epoch. */
  readonly at: number
  /** When it was first known, if earlier, and how many changes were seen since. */
  readonly since?: number | undefined
  readonly changes?: number | undefined
  readonly links: ReadonlyArray<string>
  readonly traits?: Traits | undefined
  /** Whether only its content is remembered, because its site cannot say that it is unchanged. */
  readonly isContentAlone?: true
}

/** How many URLs are in each state; `left` comes only with the end of the job, or with an endless series. */
export interface Counts {
  readonly queued: number
  readonly scraped: number
  readonly failed: number
  readonly blocked: number
  readonly alias: number
  readonly left: number
}

export const countsOf = (urls: ReadonlyArray<{ readonly state: UrlState }>): Counts => {
  const counts = { queued: 0, scraped: 0, failed: 0, blocked: 0, alias: 0, left: 0 }
  for (const { state } of urls) counts[state] += 1
  return counts
}
