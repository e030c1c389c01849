/**
 * The checks of monitors: what they have found so far, how each page was when it was last read, and their end.
 *
 * The law: what a check reports of a page, the new state of the page, the cost and the event for it are one transaction.
 * It begins at the check's row: if the check is over, or another process holds it, nothing is written and the run is
 * interrupted. A page is written down once in a check, however often the service dies.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { StoreError } from "../crawler/StoreError.ts"
import * as Monitor from "./Monitor.ts"

export interface Told {
  readonly finding: Monitor.Finding
  /** Whether the readers of the monitor are informed, by webhook and by letter. */
  readonly isTold: boolean
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
    /** Writes down how far a check has come with its targets, and what that cost; in the caller's transaction, if any. */
    readonly progress: (
      id: string,
      targets: ReadonlyArray<Monitor.TargetProgress>,
      cost?: { readonly shown: number; readonly charged: number }
    ) => Effect.Effect<void, StoreError>
    /** Writes findings down, those that are not there yet. */
    readonly record: (check: Monitor.Check, findings: ReadonlyArray<Told>) => Effect.Effect<void, StoreError>
    /** Which of these pages a check has written down already. */
    readonly recorded: (
      id: string,
      targetId: string,
      keys: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlySet<string>, StoreError>
    /** Which of these pages the check before could not read, with how their sites answered. */
    readonly failedBefore: (
      check: Monitor.Check,
      targetId: string,
      keys: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, number | null>, StoreError>
    /** Ends a check and frees its monitor for the next. */
    readonly finish: (check: Monitor.Check, end: CheckEnd) => Effect.Effect<void, StoreError>
    readonly get: (id: string) => Effect.Effect<Option.Option<Monitor.Check>, StoreError>
    /** Forgets the checks of monitors whose time is over, but for the last of each. */
    readonly expire: (now: number) => Effect.Effect<void, StoreError>
  }
>()("millrace/CheckStore") {}
