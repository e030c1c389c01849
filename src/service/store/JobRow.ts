/**
 * A job of any kind as the store keeps it.
 *
 * A running job is `scraping` in the store, whatever its kind; each kind has its own word for it in its answers.
 */
import type { CrawlState } from "../../api/Crawl.ts"
import type { Job } from "../../crawler/crawl/Job.ts"

/** A row of the table of jobs. */
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
