/**
 * Monitors, their checks and what checks say of pages, as their tables have them.
 */

import type { MonitorNotification } from "../api/Monitor.ts"
import type { CheckStatus, Judgment, MonitorDiff, MonitorPage, PageStatus, TargetResult } from "../api/MonitorCheck.ts"
import type { Target } from "../api/MonitorTarget.ts"
import type { Webhook } from "../api/Webhook.ts"

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

/** How far a check has come with a target; `isDone`: all its pages are written down. */
export interface TargetProgress extends TargetResult {
  readonly isDone?: boolean
  /** Nothing of it was known before. */
  readonly isBaseline?: boolean
  /** What its crawl warned of when it was last not in doubt; null: nothing; absent: not known. */
  readonly knownWarning?: string | null
}

/** A page as it was when it was last read. */
export interface State {
  readonly key: string
  readonly url: string
  readonly scrapeId: string | null
  /** A `KnownPage.KnownPage` as JSON text. */
  readonly version: string
  /** The last check that reached it. */
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
  /** How often it has gone back to a state that it had a few checks ago; absent where it has not. */
  readonly flips?: number
  /** Whether its text was read anew by a newer finder, and is what the next check compares with. */
  readonly isReadAnew?: boolean
  /** "keep": the page is unchanged, and this check reached it. "unseen": as "keep", but it could not be read. */
  readonly state: "keep" | "unseen" | "forget" | { readonly version: string; readonly askedKey: string }
  readonly credits: number
}
