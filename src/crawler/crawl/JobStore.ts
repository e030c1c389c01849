/**
 * Jobs of every kind: entered, ended once with their result, and removed when their time is over.
 *
 * The law: the end of a job (its state, its result, its cost beside its pages, and the event that reports it) is one
 * transaction, and only one end of a job counts.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { StoreError } from "../StoreError.ts"
import * as Job from "./Job.ts"

export class JobStore extends Context.Service<
  JobStore,
  {
    readonly create: (job: Job.Job) => Effect.Effect<void, StoreError>
    readonly get: (id: string) => Effect.Effect<Option.Option<Job.Job>, StoreError>
    /** Jobs of a kind that are under way, oldest first. */
    readonly active: (teamId: string, kind: Job.Kind) => Effect.Effect<ReadonlyArray<Job.Job>, StoreError>
    /**
     * Ends a job that is under way, as the process that runs it or as anybody; false: it had ended before, or is run
     * elsewhere. What is left queued becomes left.
     */
    readonly finish: (id: string, end: Job.End, by: "owner" | "anybody") => Effect.Effect<boolean, StoreError>
    /** What a job ended with, as JSON text, where it has a result of its own. */
    readonly result: (id: string) => Effect.Effect<Option.Option<string>, StoreError>
    /** Adds a warning to what is said of a job (`Job.withWarning`). */
    readonly warn: (id: string, warning: string) => Effect.Effect<void, StoreError>
    /** Writes down that a job is to stop where it next can. */
    readonly askToStop: (id: string) => Effect.Effect<"asked" | "asked before" | "ended", StoreError>
    readonly isAskedToStop: (id: string) => Effect.Effect<boolean, StoreError>
    /** Forgets jobs that ended before this time, with all they have. */
    readonly expire: (before: number) => Effect.Effect<void, StoreError>
  }
>()("millrace/JobStore") {}
