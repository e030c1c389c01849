/**
 * A crawl or a batch as the store keeps it.
 */
import type { CrawlState } from "../../api/Crawl.ts"

export interface Job {
  readonly id: string
  readonly kind: "crawl" | "batch"
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
}

/** How a job ends. */
export interface End {
  readonly status: CrawlState
  readonly error?: string
}

/** A row of crawl_job. */
export interface Row {
  readonly id: string
  readonly kind: Job["kind"]
  readonly team_id: string
  readonly url: string
  readonly request: string
  readonly status: CrawlState
  readonly created_at: number
  readonly completed_at: number | null
  readonly error: string | null
  readonly warning: string | null
}

export const ofRow = (row: Row): Job => ({
  id: row.id,
  kind: row.kind,
  teamId: row.team_id,
  url: row.url,
  request: row.request,
  status: row.status,
  createdAt: row.created_at,
  completedAt: row.completed_at,
  error: row.error,
  warning: row.warning
})
