/**
 * A URL in a job's ledger, and how it ends.
 */
import type * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"

/** How a URL was found: it decides whether its links are followed. */
export type Kind = "start" | "sitemap" | "link" | "external"

/**
 * queued: waits. scraped: a document. failed: an error. blocked: robots.txt. alias: redirects to, or is, a page that
 * another URL gave. left: the crawl ended first, by its limit or by being cancelled.
 */
export type UrlState = "queued" | "scraped" | "failed" | "blocked" | "alias" | "left"

export interface DiscoveredUrl {
  readonly seq: number
  readonly key: string
  readonly url: string
  readonly depth: number
  readonly kind: Kind
  readonly state: UrlState
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
  readonly page?: { readonly seq: number; readonly document: string; readonly bytes: number; readonly credits: number }
  /** Its own first, where it failed. */
  readonly failures: ReadonlyArray<Failure>
  readonly discovered: ReadonlyArray<DiscoveredUrl>
  /** What else is written in the same transaction. */
  readonly also?: Effect.Effect<void, SqlError>
}

/** URLs by their state; `left` only comes with the job's end. */
export interface Counts {
  readonly queued: number
  readonly scraped: number
  readonly failed: number
  readonly blocked: number
  readonly alias: number
}

export const countsOf = (urls: ReadonlyArray<{ readonly state: UrlState }>): Counts => {
  const counts = { queued: 0, scraped: 0, failed: 0, blocked: 0, alias: 0, left: 0 }
  for (const { state } of urls) counts[state] += 1
  return counts
}
