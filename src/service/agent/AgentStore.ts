/**
 * The store of agent runs: their threads, inputs, results, traces and snapshots.
 *
 * Guarantee: a run writes only while it is running and this process has its lease, events and snapshots in one transaction;
 * events keep the order in which they were written, and are numbered for each agent in that order.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AgentMode } from "#contract/Agent"
import type { PendingApproval } from "#contract/Exchange"
import type { ArtifactKind, TraceEvent } from "#contract/Trace"
import * as Job from "#web/Job"
import type { StoreError } from "#web/StoreError"

export interface Snapshot {
  readonly id: string
  readonly kind: ArtifactKind
  readonly content: string
}

/** What one step of a run writes. */
export interface Step {
  readonly events: ReadonlyArray<TraceEvent>
  readonly snapshots?: ReadonlyArray<Snapshot>
  readonly credits?: number
  /** The data of an event for the run's webhook: JSON text of an array. */
  readonly action?: string
}

export class AgentStore extends Context.Service<
  AgentStore,
  {
    /** Stores a run, and its thread if the run is the first turn. In the transaction of the caller. */
    readonly enter: (run: Entered) => Effect.Effect<void, StoreError>
    readonly thread: (id: string) => Effect.Effect<Option.Option<Thread>, StoreError>
    /** The runs of a thread, first turn first. */
    readonly turns: (threadId: string) => Effect.Effect<ReadonlyArray<Run>, StoreError>
    readonly run: (id: string) => Effect.Effect<Option.Option<Run>, StoreError>
    /** The runs of a team that started before a time, newest first. */
    readonly list: (teamId: string, before: number, limit: number) => Effect.Effect<ReadonlyArray<Job.Job>, StoreError>
    /** The number of runs that a team has started from one time to before another. */
    readonly startedBetween: (teamId: string, from: number, to: number) => Effect.Effect<number, StoreError>
    /** Writes a step of a run. Interrupts if this process no longer owns the run. */
    readonly record: (id: string, step: Step) => Effect.Effect<void, StoreError>
    /** Writes in the transaction of the caller, which has checked that this process owns the run; `action` as in a step. */
    readonly append: (
      id: string,
      events: ReadonlyArray<TraceEvent>,
      snapshots: ReadonlyArray<Snapshot>,
      action?: string
    ) => Effect.Effect<void, StoreError>
    /** Writes an event of a run that is running in any process. */
    readonly tell: (id: string, event: TraceEvent) => Effect.Effect<void, StoreError>
    readonly events: (id: string) => Effect.Effect<ReadonlyArray<TraceEvent>, StoreError>
    readonly snapshot: (id: string, snapshotId: string) => Effect.Effect<Option.Option<string>, StoreError>
    /** Stores the answer to an approval that a run has asked for. */
    readonly resolve: (id: string, resolution: Resolution) => Effect.Effect<void, StoreError>
    /** The keys (`termsKey`) of the terms that a person of the team has accepted. */
    readonly accepted: (teamId: string) => Effect.Effect<ReadonlySet<string>, StoreError>
    readonly accept: (teamId: string, terms: string) => Effect.Effect<void, StoreError>
    /** Deletes all that belongs to removed jobs. */
    readonly expire: Effect.Effect<void, StoreError>
  }
>()("millrace/AgentStore") {}

export interface Entered {
  readonly id: string
  readonly teamId: string
  readonly createdAt: number
  readonly threadId: string
  /** The number of the turn in its thread, from 1. */
  readonly turn: number
  readonly mode: AgentMode
}

/** Agent runs and threads, as the store returns them. */
export interface Thread {
  readonly id: string
  readonly teamId: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

export type Resolution = NonNullable<PendingApproval["resolution"]>

export interface Run {
  readonly job: Job.Job
  readonly threadId: string
  readonly turn: number
  readonly mode: AgentMode
  /** The answer to the approval that the run asked for; null: it asked for none, or there is no answer yet. */
  readonly resolution: Resolution | null
  /** The JSON text of its `AgentResult`; null: it has not ended. */
  readonly result: string | null
}
