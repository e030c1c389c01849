/**
 * Agent runs: their threads, their input and result, their trace and their snapshots.
 *
 * The law: a run writes only while it is running and this process has its lease, event and snapshot in one transaction;
 * events keep the order in which they were written, and are numbered for each agent in that order.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ArtifactKind, TraceEvent } from "../api/Trace.ts"
import * as Job from "../crawler/crawl/Job.ts"
import type { StoreError } from "../crawler/StoreError.ts"
import * as Thread from "./Thread.ts"

export interface Snapshot {
  readonly id: string
  readonly kind: ArtifactKind
  readonly content: string
}

/** What is written of a run in one step. */
export interface Step {
  readonly events: ReadonlyArray<TraceEvent>
  readonly snapshots?: ReadonlyArray<Snapshot>
  readonly credits?: number
  /** What the run's webhook gets: data as JSON text of an array. */
  readonly action?: string
}

export class AgentStore extends Context.Service<
  AgentStore,
  {
    /** Enters a run, and its thread where it is the first of one. In the transaction of the caller. */
    readonly enter: (run: Thread.Entered) => Effect.Effect<void, StoreError>
    readonly thread: (id: string) => Effect.Effect<Option.Option<Thread.Thread>, StoreError>
    /** The runs of a thread, first turn first. */
    readonly turns: (threadId: string) => Effect.Effect<ReadonlyArray<Thread.Run>, StoreError>
    readonly run: (id: string) => Effect.Effect<Option.Option<Thread.Run>, StoreError>
    /** A team's runs before a time, newest first. */
    readonly list: (teamId: string, before: number, limit: number) => Effect.Effect<ReadonlyArray<Job.Job>, StoreError>
    /** Runs that a team has started from one time to before another. */
    readonly startedBetween: (teamId: string, from: number, to: number) => Effect.Effect<number, StoreError>
    /** Writes a step of a run down. Interrupts where the run is no longer this process's. */
    readonly record: (id: string, step: Step) => Effect.Effect<void, StoreError>
    /** Writes down in the transaction of the caller, who knows that the run is its own; `action` as in a step. */
    readonly append: (
      id: string,
      events: ReadonlyArray<TraceEvent>,
      snapshots: ReadonlyArray<Snapshot>,
      action?: string
    ) => Effect.Effect<void, StoreError>
    /** Writes an event down of a run that is under way anywhere. */
    readonly tell: (id: string, event: TraceEvent) => Effect.Effect<void, StoreError>
    readonly events: (id: string) => Effect.Effect<ReadonlyArray<TraceEvent>, StoreError>
    readonly snapshot: (id: string, snapshotId: string) => Effect.Effect<Option.Option<string>, StoreError>
    /** Says how an approval that a run has asked for was answered. */
    readonly resolve: (id: string, resolution: Thread.Resolution) => Effect.Effect<void, StoreError>
    /** Providers whose terms, in this version, somebody of the team has accepted. */
    readonly accepted: (teamId: string) => Effect.Effect<ReadonlySet<string>, StoreError>
    readonly accept: (teamId: string, terms: string) => Effect.Effect<void, StoreError>
    /** Forgets what belongs to jobs that are gone. */
    readonly expire: Effect.Effect<void, StoreError>
  }
>()("millrace/AgentStore") {}
