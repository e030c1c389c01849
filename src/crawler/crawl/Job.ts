/**
 * A job of any kind as the store keeps it.
 *
 * A running job is `scraping` in the store, whatever its kind; each kind has its own word for it in its answers.
 */
import type * as Effect from "effect/Effect"
import type { CrawlState } from "../../api/Crawl.ts"
import type { StoreError } from "../StoreError.ts"

export type Kind = "crawl" | "batch" | "extract" | "agent"

export interface Job {
  readonly id: string
  readonly kind: Kind
  readonly teamId: string
  readonly url: string
  /** The request as JSON text. */
  readonly request: string
  readonly status: CrawlState
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly completedAt: number | null
  readonly error: string | null
  readonly warning: string | null
  /** Whether its team pays nothing for it. */
  readonly isFree?: boolean
  /** How many processes have ended with it since anything of it was done. */
  readonly attempts?: number
  /** Whether nothing of it may be kept (zero data retention): its URL and its request are not in the store. */
  readonly isSealed?: boolean
}

/** What is said of a job with one more warning. What it says already is not said again; many words are enough. */
export const withWarning = (before: string | null | undefined, warning: string): string => {
  if (before == null) return warning
  return before.length >= enoughWords || before.includes(warning) ? before : `${before}; ${warning}`
}
const enoughWords = 500

/** How a job ends; `also` is written in the same transaction. */
export interface End {
  readonly status: CrawlState
  readonly error?: string
  /** What came of it, as JSON text, for kinds whose pages are not the result. */
  readonly result?: string
  /** What it costs beside its pages; less than 0 gives back. */
  readonly credits?: number
  /** Said before what it warned of on the way. */
  readonly warning?: string
  /** How its end is told, where it is not by its state alone. */
  readonly event?: { readonly name: string; readonly success: boolean; readonly data?: string }
  readonly also?: Effect.Effect<void, StoreError>
  /** How it ends instead where it was asked to stop before its end was written. */
  readonly ifAskedToStop?: End
}
