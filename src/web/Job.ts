/**
 * A job of any kind as the store keeps it.
 *
 * A running job is `scraping` in the store, whatever its kind; each kind has its own word for it in its answers.
 */
import type * as Effect from "effect/Effect"
import type { CrawlState } from "#contract/Crawl"
import type { EventName } from "#contract/Webhook"
import type { StoreError } from "./StoreError.ts"

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
  /** Whether the team pays nothing for it. */
  readonly isFree?: boolean
  /** How many processes have ended while they ran it, since it last made progress. */
  readonly attempts?: number
  /** Whether nothing of it may be kept (zero data retention): the store does not have its URL and its request. */
  readonly isSealed?: boolean
}

/** The job's warning text with one more warning. A repeated warning is not added, and the text is limited. */
export const withWarning = (before: string | null | undefined, warning: string): string => {
  if (before == null) return warning
  return before.length >= enoughWords || before.includes(warning) ? before : `${before}; ${warning}`
}
const enoughWords = 500

/** How a job ends; `also` is written in the same transaction. */
export interface End {
  readonly status: CrawlState
  readonly error?: string
  /** The result as JSON text, for kinds of jobs whose pages are not the result. */
  readonly result?: string
  /** The cost besides its pages; a negative number refunds. */
  readonly credits?: number
  /** Placed before the warnings that the job already has. */
  readonly warning?: string
  /** The event that reports the end, if the state alone does not. */
  readonly event?: { readonly name: EventName; readonly success: boolean; readonly data?: string }
  readonly also?: Effect.Effect<void, StoreError>
  /** The end to write instead if the job was asked to stop before. */
  readonly ifAskedToStop?: End
}
