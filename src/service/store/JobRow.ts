/**
 * Jobs, and what agent runs have beside theirs, as their tables have them.
 *
 * A running job is `scraping` in the store, whatever its kind; each kind has its own word for it in its answers.
 */

import type { Resolution, Run, Thread } from "../../agent/Thread.ts"
import type { AgentMode } from "../../api/Agent.ts"
import type { CrawlState } from "../../api/Crawl.ts"
import type { Job } from "../../crawler/crawl/Job.ts"
import { storedJson } from "./jsonColumns.ts"

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
  readonly free: number
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
  warning: row.warning,
  isFree: row.free === 1
})

export interface ThreadRow {
  readonly id: string
  readonly team_id: string
  readonly created_at: number
}

/** Of an agent run, beside its job. */
export interface AgentRunRow extends Row {
  readonly thread_id: string
  readonly turn: number
  readonly mode: AgentMode
  readonly resolution: string | null
  readonly result: string | null
}

export const toThread = (row: ThreadRow): Thread => ({
  id: row.id,
  teamId: row.team_id,
  createdAt: Number(row.created_at)
})

export const toRun = (row: AgentRunRow): Run => ({
  job: ofRow(row),
  threadId: row.thread_id,
  turn: row.turn,
  mode: row.mode,
  resolution: row.resolution === null ? null : storedJson<Resolution>(row.resolution), // as `AgentStore.resolve` wrote it
  result: row.result
})
