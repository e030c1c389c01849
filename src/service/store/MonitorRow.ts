/**
 * The rows of monitors, of their checks, and of the pages of checks.
 */

import type { CheckStatus, MonitorPage, PageStatus } from "#contract/MonitorCheck"
import type { Check, MailState, Monitor, Trigger } from "../monitor/Monitor.ts"
import { storedJson } from "./jsonColumns.ts"
import type { Seals } from "./Seals.ts"
import { openedSecrets } from "./secretFields.ts"

interface MonitorRow {
  readonly id: string
  readonly team_id: string
  readonly name: string
  readonly status: Monitor["status"]
  readonly definition: string
  readonly next_run_at: number | null
  readonly last_run_at: number | null
  readonly current_check_id: string | null
  readonly last_check_id: string | null
  readonly created_at: number
  readonly updated_at: number
}

export type { MonitorRow as Row }

const orNull = (value: number | string | null): number | null => (value === null ? null : Number(value))

export const toMonitor = (row: MonitorRow, seals: Seals["Service"]): Monitor => ({
  id: row.id,
  teamId: row.team_id,
  name: row.name,
  status: row.status,
  definition: storedJson(openedSecrets(row.definition, seals)), // as `MonitorStore` wrote it
  nextRunAt: orNull(row.next_run_at),
  lastRunAt: orNull(row.last_run_at),
  currentCheckId: row.current_check_id,
  lastCheckId: row.last_check_id,
  createdAt: Number(row.created_at),
  updatedAt: Number(row.updated_at)
})

export interface CheckRow {
  readonly id: string
  readonly monitor_id: string
  readonly team_id: string
  readonly status: CheckStatus
  readonly cause: Trigger
  readonly definition: string
  readonly scheduled_for: number | null
  readonly created_at: number
  readonly started_at: number | null
  readonly finished_at: number | null
  readonly estimated_credits: number | null
  readonly credits: number
  readonly same: number
  readonly changed: number
  readonly added: number
  readonly removed: number
  readonly failed: number
  readonly targets: string
  readonly error: string | null
  readonly mail: MailState | null
}

export const toCheck = (row: CheckRow, seals: Seals["Service"]): Check => ({
  id: row.id,
  monitorId: row.monitor_id,
  teamId: row.team_id,
  status: row.status,
  trigger: row.cause,
  definition: storedJson(openedSecrets(row.definition, seals)), // as `MonitorStore` wrote it
  scheduledFor: orNull(row.scheduled_for),
  createdAt: Number(row.created_at),
  startedAt: orNull(row.started_at),
  finishedAt: orNull(row.finished_at),
  estimatedCredits: orNull(row.estimated_credits),
  credits: Number(row.credits),
  counts: { same: row.same, changed: row.changed, new: row.added, removed: row.removed, error: row.failed },
  targets: storedJson(row.targets), // as `CheckStore` wrote it
  error: row.error,
  mail: row.mail
})

export interface PageRow {
  readonly id: string
  readonly target_id: string
  readonly url: string
  readonly status: PageStatus
  readonly status_code: number | null
  readonly previous_scrape_id: string | null
  readonly current_scrape_id: string | null
  readonly error: string | null
  readonly metadata: string | null
  readonly judgment: string | null
  readonly diff: string | null
  readonly snapshot: string | null
  readonly flips: number | null
  readonly created_at: number
}

export const toPage = (row: PageRow): MonitorPage => ({
  id: row.id,
  targetId: row.target_id,
  url: row.url,
  status: row.status,
  statusCode: row.status_code,
  previousScrapeId: row.previous_scrape_id,
  currentScrapeId: row.current_scrape_id,
  error: row.error,
  metadata: parsed(row.metadata),
  judgment: parsed(row.judgment),
  diff: parsed(row.diff),
  snapshot: parsed(row.snapshot),
  ...(row.flips === null ? {} : { flips: Number(row.flips) }),
  createdAt: new Date(Number(row.created_at)).toISOString()
})

/** As `CheckStore.record` wrote it. */
const parsed = <Value>(text: string | null): Value | null => (text === null ? null : storedJson<Value>(text))
