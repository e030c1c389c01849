/**
 * A URL in a job's ledger, and how it ends.
 */
import type * as Effect from "effect/Effect"
import type { PageDocument } from "../../api/PageDocument.ts"
import type { StoreError } from "../StoreError.ts"

/** How a URL was found: it decides whether its links are followed. */
export type Kind = "start" | "sitemap" | "link" | "external"

/**
 * queued: waits. scraped: a document. failed: an error. blocked: robots.txt. alias: redirects to, or is, a page that
 * another URL gave. left: the crawl ended first, by its limit or by being cancelled; or its address is a trap's.
 */
export type UrlState = "queued" | "scraped" | "failed" | "blocked" | "alias" | "left"

export interface DiscoveredUrl {
  readonly seq: number
  readonly key: string
  readonly url: string
  /** Hops from the start; what a sitemap names is as near as the start. */
  readonly depth: number
  readonly kind: Kind
  readonly state: UrlState
  /** The number of the page that led here: of those one hop nearer the one whose URL is the least. */
  readonly from?: number | null
  /** Of an alias: the number of the URL whose page this is. */
  readonly aliasOf?: number | null
  /** The URL that answered, where it is another. */
  readonly landed?: string | null
  /** Whether it was being read when a process ended. */
  readonly isSuspect?: boolean
}

/** What is learned of a URL that has been entered and has not begun. */
export type Change =
  /** It is found under another spelling too. */
  | { readonly _tag: "Spelling"; readonly seq: number; readonly url: string }
  /** A page with a lesser URL leads there as well. */
  | { readonly _tag: "From"; readonly seq: number; readonly from: number }
  /** It is nearer than the links said: a sitemap names it, in this spelling where that counts. */
  | {
      readonly _tag: "Nearer"
      readonly seq: number
      readonly url?: string
      readonly depth: number
      readonly was: number
      readonly kind: Kind
    }

/** A page's document as it was made, or as the bytes that a thread has made of it; or what a job keeps instead, as JSON. */
export type Result = PageDocument | Uint8Array | string

/** Bytes of a page: as received, with the bodies of redirects before it, and decompressed. */
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

/** How one URL ended, with what it brought. */
export interface Settlement {
  readonly seq: number
  readonly state: UrlState
  /** The key of the page that answered in the end: another than its own where it redirects. */
  readonly landedKey: string
  readonly page?: {
    readonly seq: number
    readonly document: Result
    readonly credits: number
    readonly bytes?: Bytes | undefined
  }
  /** Its own first, where it failed. */
  readonly failures: ReadonlyArray<Failure>
  readonly discovered: ReadonlyArray<DiscoveredUrl>
  readonly aliasOf?: number | undefined
  /** URLs that wait, and whose page this one has taken over: they end as its aliases. */
  readonly overtaken?: ReadonlyArray<number> | undefined
  /** What is to be known of the page when it is decided which pages are one. */
  readonly traits?: Traits | undefined
  readonly changes?: ReadonlyArray<Change> | undefined
  /** Whether the site says that it is as the last crawl has loaded it: then there is no document. */
  readonly isRevalidated?: boolean | undefined
  /** What the next crawl may be told of the page. */
  readonly known?: KnownPage | undefined
  /** What else is written in the same transaction. */
  readonly also?: Effect.Effect<void, StoreError>
}

/** What a page is recognised by. Hashes, as short texts. */
export interface Traits {
  /** The URL that answered, where it is another than the one that was asked for. */
  readonly landed?: string | undefined
  /** What the page names as canonical, where it is another. */
  readonly canonical?: string | undefined
  /** Of its text. */
  readonly content?: string | undefined
  /** Of its meaning, where that was needed. */
  readonly meaning?: string | undefined
  /** Of its words without dates, where its address could be one of an endless row. */
  readonly template?: string | undefined
}

/** A page that answered with 200 at its own URL. Encodes to JSON. */
export interface KnownPage {
  readonly url: string
  /** As the site said them. */
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
  /** The version of the finder that read it, where main content was looked for. */
  readonly version?: number | undefined
  /** The version of the rules that gave its data, where data was asked for. */
  readonly rules?: number | undefined
  /** When the site last said what it is, in milliseconds since the epoch. */
  readonly at: number
  /** When it was first known, where that is earlier, and how often it has been seen to have changed since. */
  readonly since?: number | undefined
  readonly changes?: number | undefined
  readonly links: ReadonlyArray<string>
  readonly traits?: Traits | undefined
}

/** URLs by their state; `left` only comes with the job's end, or with a trap. */
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
