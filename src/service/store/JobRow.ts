/**
 * The rows of jobs, agent runs and threads.
 *
 * A running job is `scraping` in the store, whatever its kind; the answers of each kind have their own word for it.
 */
import type { AgentMode } from "#contract/Agent"
import type { CrawlState } from "#contract/Crawl"
import type { Job } from "#web/Job"
import type { Resolution, Run, Thread } from "../agent/AgentStore.ts"
import { storedJson } from "./jsonColumns.ts"
import * as Seal from "./Seal.ts"
import type { Seals } from "./Seals.ts"
import { openedSecrets } from "./secretFields.ts"

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
  readonly sealed: number
  readonly attempts: number
}

const plainOf = (row: Row): Job => ({
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
  ...(row.free === 1 ? { isFree: true } : {}),
  ...(row.sealed === 1 ? { isSealed: true } : {}),
  ...(row.attempts > 0 ? { attempts: row.attempts } : {})
})

/** The job of a row, with all texts decrypted that this process has the key of. */
export const ofRow = (row: Row, seals: Seals["Service"]): Job => {
  const job = plainOf(row)
  if (job.isSealed !== true) return { ...job, request: openedSecrets(job.request, seals) }
  const opened = (text: string | null): string | null =>
    text === null || !Seal.isSealed(text) ? text : (seals.ofJob(job.id)?.open(text) ?? sealedAway)
  return { ...job, error: opened(job.error), warning: opened(job.warning) }
}

const sealedAway = "the text can be read only in the process that ran the job (zero data retention)"

export interface ThreadRow {
  readonly id: string
  readonly team_id: string
  readonly created_at: number
}

/** An agent run with its job. */
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

export const toRun = (row: AgentRunRow, seals: Seals["Service"]): Run => ({
  job: ofRow(row, seals),
  threadId: row.thread_id,
  turn: row.turn,
  mode: row.mode,
  resolution: row.resolution === null ? null : storedJson<Resolution>(row.resolution), // as `AgentStore.resolve` wrote it
  result: row.result
})
