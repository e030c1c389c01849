/**
 * Jobs of every kind: entered, ended once with their result, and removed when they expire.
 *
 * Guarantee: the end of a job (its state, its result, its cost besides its pages, and the event that reports it) is
 * written in one transaction, and only one end of a job counts.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Job from "./Job.ts"
import type { StoreError } from "./StoreError.ts"

export class JobStore extends Context.Service<
  JobStore,
  {
    readonly create: (job: Job.Job) => Effect.Effect<void, StoreError>
    readonly get: (id: string) => Effect.Effect<Option.Option<Job.Job>, StoreError>
    /** Running jobs of a kind, the oldest first. */
    readonly active: (teamId: string, kind: Job.Kind) => Effect.Effect<ReadonlyArray<Job.Job>, StoreError>
    /**
     * Ends a running job, as the process that runs it or as anybody; false: it had already ended, or another process
     * runs it. URLs that are still queued end as `left`.
     */
    readonly finish: (id: string, end: Job.End, by: "owner" | "anybody") => Effect.Effect<boolean, StoreError>
    /** The result of a job as JSON text, if it has one of its own. */
    readonly result: (id: string) => Effect.Effect<Option.Option<string>, StoreError>
    /** Adds a warning to a job (`Job.withWarning`). */
    readonly warn: (id: string, warning: string) => Effect.Effect<void, StoreError>
    /** Asks a job to stop at its next opportunity. */
    readonly askToStop: (id: string) => Effect.Effect<"asked" | "asked before" | "ended", StoreError>
    readonly isAskedToStop: (id: string) => Effect.Effect<boolean, StoreError>
    /** Removes jobs that ended before this time, with everything they have. */
    readonly expire: (before: number) => Effect.Effect<void, StoreError>
  }
>()("millrace/JobStore") {}
