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
import type * as Scope from "effect/Scope"
import type { CheckStatus, MonitorPage, PageStatus } from "#contract/MonitorCheck"
import type { StoreError } from "#web/StoreError"
import type { Check } from "./Monitor.ts"
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

/**
 * The lease of a check: which process runs it.
 *
 * Implementations must keep two rules. At most one process holds a running check: first the process that entered it
 * (`MonitorStore.enter`), later a process that takes it after the holder has released it, has ended, or has given no sign for
 * a while. A process that has lost a check can write nothing more for it (`CheckStore`); otherwise its pages would be
 * reported and charged twice.
 */
export class CheckLease extends Context.Service<
  CheckLease,
  {
    /** Whether other processes may run checks of the same store. */
    readonly isShared: boolean
    /** Runs `look` and `takeUp` from time to time until the scope closes; never, if this is the only process. */
    readonly lookingAgain: (
      look: Effect.Effect<void, StoreError>,
      takeUp: Effect.Effect<void, StoreError>
    ) => Effect.Effect<void, never, Scope.Scope>
    /** Takes every running check that no process holds, and returns them, oldest first. */
    readonly take: Effect.Effect<ReadonlyArray<Check>, StoreError>
    /**
     * Renews the leases of the checks that run here, and returns those that this process has lost. It releases checks that it
     * holds and does not run.
     */
    readonly keep: (running: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, StoreError>
  }
>()("millrace/CheckLease") {}

export interface PageQuery {
  readonly skip: number
  readonly limit: number
  readonly status?: PageStatus | undefined
}

/** An e-mail that is due, and the number of this attempt. */
export interface DueMail {
  readonly check: Monitor.Check
  readonly monitorName: string
  /** The number of this attempt, from 1. */
  readonly attempt: number
}

/** Reads checks that were made: lists of checks, their pages, and the e-mails that are due. */
export class CheckLists extends Context.Service<
  CheckLists,
  {
    /** The checks of a monitor, newest first, and how many there are. */
    readonly list: (
      monitorId: string,
      query: { readonly offset: number; readonly limit: number; readonly status?: CheckStatus | undefined }
    ) => Effect.Effect<{ readonly checks: ReadonlyArray<Monitor.Check>; readonly total: number }, StoreError>
    /** Pages of a check in the order in which they were found, and how many more there are. */
    readonly pages: (
      checkId: string,
      query: PageQuery
    ) => Effect.Effect<{ readonly pages: ReadonlyArray<MonitorPage>; readonly remaining: number }, StoreError>
    /** The pages of a check that are reported to the recipients of its monitor, at most `limit` of them. */
    readonly reported: (checkId: string, limit: number) => Effect.Effect<ReadonlyArray<MonitorPage>, StoreError>
    /** Takes an e-mail that is due, so that no other process sends it in the next minutes. */
    readonly takeMail: Effect.Effect<Option.Option<DueMail>, StoreError>
    /** Records the result of sending; `dueAt`: when to try again. */
    readonly mailed: (
      checkId: string,
      state: Monitor.MailState,
      dueAt: number | null
    ) => Effect.Effect<void, StoreError>
  }
>()("millrace/CheckLists") {}

/**
 * Reads the stored states of the pages of monitors, by target. `CheckStore` writes them, in one transaction with the findings
 * of a check.
 */
export class PageStates extends Context.Service<
  PageStates,
  {
    /** The states of pages of a target, by their keys or by the keys of the URLs that were requested. */
    readonly states: (
      monitorId: string,
      targetId: string,
      keys: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, Monitor.State>, StoreError>
    readonly hasStates: (monitorId: string, targetId: string) => Effect.Effect<boolean, StoreError>
    /** Pages of a target that a check has not reached. */
    readonly unseen: (
      check: Monitor.Check,
      targetId: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Monitor.State>, StoreError>
    /** The number of pages that this check could not read, but the last check that reached them could. */
    readonly newlyFailed: (check: Monitor.Check, targetId: string) => Effect.Effect<number, StoreError>
    /** Removes the states of pages that a check has not reached, without reporting them. */
    readonly forget: (check: Monitor.Check, targetId: string) => Effect.Effect<void, StoreError>
  }
>()("millrace/PageStates") {}
