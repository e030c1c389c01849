/**
 * Monitors, their checks and what checks say of pages, as their tables have them.
 */

import type { MonitorNotification } from "../../api/Monitor.ts"
import type {
  CheckStatus,
  Judgment,
  MonitorDiff,
  MonitorPage,
  PageStatus,
  TargetResult
} from "../../api/MonitorCheck.ts"
import type { Target } from "../../api/MonitorTarget.ts"
import type { Webhook } from "../../api/Webhook.ts"
import { storedJson } from "./storedJson.ts"

/** What a monitor is told to do. A check goes by the definition that it began with. */
export interface Definition {
  readonly schedule: { readonly cron: string; readonly timezone: string; readonly text?: string }
  readonly targets: ReadonlyArray<Target & { readonly id: string }>
  readonly webhook: Webhook | null
  readonly notification: MonitorNotification | null
  readonly goal: string | null
  readonly judgeEnabled: boolean
  readonly retentionDays: number
}

/** Times are milliseconds since the epoch. */
export interface Monitor {
  readonly id: string
  readonly teamId: string
  readonly name: string
  readonly status: "active" | "paused"
  readonly definition: Definition
  readonly nextRunAt: number | null
  readonly lastRunAt: number | null
  readonly currentCheckId: string | null
  readonly lastCheckId: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

export type Trigger = "scheduled" | "manual"

export interface Check {
  readonly id: string
  readonly monitorId: string
  readonly teamId: string
  readonly status: CheckStatus
  readonly trigger: Trigger
  readonly definition: Definition
  readonly scheduledFor: number | null
  readonly createdAt: number
  readonly startedAt: number | null
  readonly finishedAt: number | null
  readonly estimatedCredits: number | null
  readonly credits: number
  readonly counts: Readonly<Record<PageStatus, number>>
  readonly targets: ReadonlyArray<TargetProgress>
  readonly error: string | null
  readonly mail: MailState | null
}

export type MailState = "pending" | "sent" | "failed" | "not_configured"

/** How far a check has come with a target; `isDone`: all its pages are written down. */
export interface TargetProgress extends TargetResult {
  readonly isDone?: boolean
  /** Nothing of it was known before. */
  readonly isBaseline?: boolean
}

/** A page as it was when it was last read. */
export interface State {
  readonly key: string
  readonly url: string
  readonly scrapeId: string | null
  /** A `Version` as JSON text. */
  readonly version: string
  /** The check that came by it last. */
  readonly checkId: string
  /** Checks in a row, up to that one, that could not read it. */
  readonly failures: number
}

/** What a check says of a page, and how the page is from now on. */
export interface Finding {
  readonly targetId: string
  readonly key: string
  readonly url: string
  readonly status: PageStatus
  readonly statusCode: number | null
  readonly previousScrapeId: string | null
  readonly currentScrapeId: string | null
  readonly error: string | null
  readonly metadata: MonitorPage["metadata"]
  readonly judgment: Judgment | null
  readonly diff: MonitorDiff | null
  readonly snapshot: MonitorPage["snapshot"]
  /** "keep": it is as it was known, and this check came by. "unseen": as "keep", and it could not be read. */
  readonly state: "keep" | "unseen" | "forget" | { readonly version: string; readonly askedKey: string }
  readonly credits: number
}

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

export const toMonitor = (row: MonitorRow): Monitor => ({
  id: row.id,
  teamId: row.team_id,
  name: row.name,
  status: row.status,
  definition: storedJson(row.definition), // as `MonitorStore` wrote it
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

export const toCheck = (row: CheckRow): Check => ({
  id: row.id,
  monitorId: row.monitor_id,
  teamId: row.team_id,
  status: row.status,
  trigger: row.cause,
  definition: storedJson(row.definition), // as `MonitorStore` wrote it
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
  createdAt: new Date(Number(row.created_at)).toISOString()
})

/** As `CheckStore.record` wrote it. */
const parsed = <Value>(text: string | null): Value | null => (text === null ? null : storedJson<Value>(text))
