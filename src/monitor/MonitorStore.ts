/**
 * Monitors: kept, changed, and claimed when they are due.
 *
 * One process takes a due time, in the transaction that enters its check; a monitor has at most one running check, and a
 * due time during that check is entered as skipped.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { CheckStatus } from "../api/MonitorCheck.ts"
import type { StoreError } from "../crawler/StoreError.ts"
import * as Monitor from "./Monitor.ts"

/** A check that is to be entered. */
export interface Entry {
  readonly trigger: Monitor.Trigger
  readonly scheduledFor: number | null
  readonly estimatedCredits: number
  readonly status: Extract<CheckStatus, "queued" | "skipped_no_credits">
  /** When the monitor is due next, where this check takes a due time. */
  readonly next?: number | null
  /** What else is written in the same transaction, where the check is to be run. */
  readonly also?: (check: Monitor.Check) => Effect.Effect<void, StoreError>
}

export class MonitorStore extends Context.Service<
  MonitorStore,
  {
    readonly create: (monitor: Monitor.Monitor) => Effect.Effect<void, StoreError>
    readonly get: (id: string) => Effect.Effect<Option.Option<Monitor.Monitor>, StoreError>
    /** A team's monitors, newest first, and how many there are. */
    readonly list: (
      teamId: string,
      offset: number,
      limit: number
    ) => Effect.Effect<{ readonly monitors: ReadonlyArray<Monitor.Monitor>; readonly total: number }, StoreError>
    readonly update: (
      id: string,
      change: Pick<Monitor.Monitor, "definition" | "name" | "nextRunAt" | "status">
    ) => Effect.Effect<void, StoreError>
    /** Forgets a monitor with all it has; what it gives is the check that was under way. */
    readonly remove: (id: string) => Effect.Effect<Option.Option<Monitor.Check>, StoreError>
    readonly due: (now: number) => Effect.Effect<ReadonlyArray<Monitor.Monitor>, StoreError>
    /** When the first of all monitors is due. */
    readonly firstDue: Effect.Effect<number | null, StoreError>
    /**
     * Enters a check of a monitor. None: another process has taken the time, or the monitor is not there or paused. A
     * check of a time that falls into another check is entered as skipped.
     */
    readonly enter: (monitor: Monitor.Monitor, entry: Entry) => Effect.Effect<Option.Option<Monitor.Check>, StoreError>
  }
>()("millrace/MonitorStore") {}
