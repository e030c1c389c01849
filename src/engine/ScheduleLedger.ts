/**
 * The contract of the ledger: the runs of a scheduler. `ScheduleStore.ts` implements it.
 *
 * Guarantee: a due time is decided once, and the progress of decisions is written in the same transaction; a run is recorded
 * before it begins, and its end together with its notices; a notice is marked before it is sent, so it is never sent twice.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { SetAside } from "#base/SqliteRepair"
import type { LedgerError } from "./ledger/LedgerError.ts"
import type * as ScheduleTables from "./ledger/ScheduleTables.ts"
import type { Event } from "./Notify.ts"
import type { Outcome } from "./ScheduleRunner.ts"
import type { Task } from "./ScheduleTask.ts"

/** The decision on a due time. */
export interface Decided {
  readonly due: number
  readonly state: "waiting" | "skipped" | "missed"
  readonly makesUp: boolean
  readonly beginAt: number
  readonly message: string | null
}

/** A task as it was when its file was last valid. */
export type StoredTask = typeof ScheduleTables.Task.Type

export type Ask<A> = Effect.Effect<A, LedgerError>

export class Ledger extends Context.Service<
  Ledger,
  {
    readonly tasks: Ask<ReadonlyArray<StoredTask>>
    /** What was lost of a damaged database, and was not reported yet. */
    readonly lost: Ask<ReadonlyArray<SetAside>>
    /** Notes that it was reported. */
    readonly forgetLost: (lost: ReadonlyArray<SetAside>) => Ask<void>
    /** Stores a task, and returns the time up to which its due times are decided. A new or changed schedule begins now. */
    readonly adopt: (task: Task, now: number) => Ask<number>
    /** Removes a task. Its waiting runs are dropped, and its running one too, unless it is still under way. */
    readonly drop: (name: string, now: number, isUnderWay: boolean) => Ask<void>
    readonly decide: (name: string, decided: ReadonlyArray<Decided>) => Ask<void>
    /** Adds a run that no schedule planned. */
    readonly add: (name: string, now: number, beginAt: number, skipped?: string) => Ask<void>
    /** Runs that are not over, the first to begin first. */
    readonly open: Ask<ReadonlyArray<ScheduleTables.Run>>
    readonly start: (id: number, now: number) => Ask<void>
    /** Lets a run wait for another attempt. If the last attempt does not count, the number of attempts is reduced. */
    readonly again: (id: number, beginAt: number, message: string | null, counts: boolean) => Ask<void>
    readonly settle: (
      run: ScheduleTables.Run,
      end: { readonly state: ScheduleTables.State; readonly outcome: Outcome; readonly now: number },
      notices: ReadonlyArray<{ readonly event: Event; readonly target: number }>
    ) => Ask<void>
    /** The last run of a task before this one that was made and is over. */
    readonly before: (name: string, id: number) => Ask<ScheduleTables.Run | undefined>
    readonly run: (id: number) => Ask<ScheduleTables.Run | undefined>
    readonly last: (name: string) => Ask<ScheduleTables.Run | undefined>
    readonly notices: (state: ScheduleTables.Notice["state"]) => Ask<ReadonlyArray<ScheduleTables.Notice>>
    /** Takes a notice that is due, to send it; false: another process has taken it. */
    readonly claim: (id: string) => Ask<boolean>
    /** Records the result of sending a notice; due: it will be sent again. */
    readonly settleNotice: (
      id: string,
      state: "sent" | "failed" | "due",
      message: string | null,
      now: number
    ) => Ask<void>
  }
>()("millrace/schedule/Ledger") {}
