/**
 * Writes checks of monitors: their findings, the states of pages, and their end.
 *
 * Guarantee: a finding about a page, the new state of the page, its cost and its event are written in one transaction. The
 * transaction first reads the row of the check: if the check is over, or another process holds it, nothing is written and
 * the run is interrupted. A page is recorded once in a check, however often the service dies.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { StoreError } from "#web/StoreError"
import * as Monitor from "./Monitor.ts"

/** A finding, and whether it is reported. */
export interface Reported {
  readonly finding: Monitor.Finding
  /** Whether it is reported to the recipients of the monitor, by webhook and by e-mail. */
  readonly isReported: boolean
}

/** How a check ends. */
export interface CheckEnd {
  readonly status: "completed" | "partial" | "failed"
  readonly error: string | null
  readonly mail: Monitor.MailState | null
}

export class CheckStore extends Context.Service<
  CheckStore,
  {
    /** Begins a check, or continues it. */
    readonly start: (id: string) => Effect.Effect<void, StoreError>
    /** Saves the progress of a check with its targets, and the cost so far; in the caller's transaction, if there is one. */
    readonly progress: (
      id: string,
      targets: ReadonlyArray<Monitor.TargetProgress>,
      cost?: { readonly shown: number; readonly charged: number }
    ) => Effect.Effect<void, StoreError>
    /** Records findings that are not recorded yet. */
    readonly record: (check: Monitor.Check, findings: ReadonlyArray<Reported>) => Effect.Effect<void, StoreError>
    /** The keys of those pages that a check has already recorded. */
    readonly recorded: (
      id: string,
      targetId: string,
      keys: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlySet<string>, StoreError>
    /** Those pages that the check before could not read, with the status codes of their sites. */
    readonly failedBefore: (
      check: Monitor.Check,
      targetId: string,
      keys: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, number | null>, StoreError>
    /** Ends a check, so that its monitor can begin the next one. */
    readonly finish: (check: Monitor.Check, end: CheckEnd) => Effect.Effect<void, StoreError>
    readonly get: (id: string) => Effect.Effect<Option.Option<Monitor.Check>, StoreError>
    /** Removes checks that are older than the retention of their monitors, but keeps the last check of each. */
    readonly expire: (now: number) => Effect.Effect<void, StoreError>
  }
>()("millrace/CheckStore") {}
