/**
 * Stores monitors, and enters their checks when they are due.
 *
 * One process takes a due time, in the transaction that enters its check. A monitor has at most one running check; a due
 * time during that check is entered as skipped.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { CheckStatus } from "#contract/MonitorCheck"
import type { StoreError } from "#web/StoreError"
import * as Monitor from "./Monitor.ts"

/** A check to enter. */
export interface Entry {
  readonly trigger: Monitor.Trigger
  readonly scheduledFor: number | null
  readonly estimatedCredits: number
  readonly status: Extract<CheckStatus, "queued" | "skipped_no_credits">
  /** When the monitor is due next; absent: this check does not take a due time. */
  readonly next?: number | null
  /** What else is written in the same transaction, if the check will run. */
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
    /** Removes a monitor with all its data, and returns its running check, if there is one. */
    readonly remove: (id: string) => Effect.Effect<Option.Option<Monitor.Check>, StoreError>
    readonly due: (now: number) => Effect.Effect<ReadonlyArray<Monitor.Monitor>, StoreError>
    /** When the first of all monitors is due. */
    readonly firstDue: Effect.Effect<number | null, StoreError>
    /**
     * Enters a check of a monitor. None: another process has taken the due time, or the monitor is gone or paused. If
     * another check is running, the check is entered as skipped.
     */
    readonly enter: (monitor: Monitor.Monitor, entry: Entry) => Effect.Effect<Option.Option<Monitor.Check>, StoreError>
  }
>()("millrace/MonitorStore") {}
