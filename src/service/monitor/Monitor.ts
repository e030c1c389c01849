/**
 * Monitors, their checks, and the findings of checks, as the store has them.
 */

import type { MonitorNotification } from "#contract/Monitor"
import type { CheckStatus, Judgment, MonitorDiff, MonitorPage, PageStatus, TargetResult } from "#contract/MonitorCheck"
import type { Target } from "#contract/MonitorTarget"
import type { Webhook } from "#contract/Webhook"

/** The definition of a monitor. A check uses the definition that it began with. */
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

/** The progress of a check with a target; `isDone`: all its pages are recorded. */
export interface TargetProgress extends TargetResult {
  readonly isDone?: boolean
  /** Whether no page of the target was known before. */
  readonly isBaseline?: boolean
  /** The warning of the last crawl that found reliably which pages are gone; null: it had none; absent: not known. */
  readonly knownWarning?: string | null
}

/** The stored state of a page, from when it was last read. */
export interface State {
  readonly key: string
  readonly url: string
  readonly scrapeId: string | null
  /** A `KnownPage.KnownPage` as JSON text. */
  readonly version: string
  /** The last check that reached it. */
  readonly checkId: string
  /** How many checks in a row, up to that one, could not read it. */
  readonly failures: number
}

/** What a check found about a page, and the new state of the page. */
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
  /** How often it has returned to a state of a few checks ago; absent: never. */
  readonly flips?: number
  /** Whether its text was found by another version of the finder. The next check compares with this text. */
  readonly isReadAnew?: boolean
  /** keep: the page is unchanged. unseen: it could not be read, and keeps its state. forget: its state is removed. Otherwise, the new state. */
  readonly state: "keep" | "unseen" | "forget" | { readonly version: string; readonly askedKey: string }
  readonly credits: number
}
