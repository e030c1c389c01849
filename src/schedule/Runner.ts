/**
 * Who runs a pipeline for the scheduler, and what comes of a run.
 *
 * A runner that is interrupted stops its run, and is done when the run is done. A run that an earlier scheduler began,
 * and that ended without it, is reported by `ended` and not run again.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Task } from "./Task.ts"

/**
 * done: every sink has it. behind: some sinks have it, the next run brings the others up. held: a check held the commit.
 * failed: it may be tried again. wrong: the file or its surroundings are wrong, trying again changes nothing. busy:
 * another process runs this pipeline. blocked: a destination is in use by another process, and nothing was asked.
 */
export const OutcomeStatus = Schema.Literals(["done", "behind", "held", "failed", "wrong", "busy", "blocked"])
export type OutcomeStatus = typeof OutcomeStatus.Type

export const Outcome = Schema.Struct({
  status: OutcomeStatus,
  run_id: Schema.NullOr(Schema.String),
  /** By table. */
  rows: Schema.Record(Schema.String, Schema.Finite),
  /** How many rows differ from the run before, where a source or a check counts them. */
  changed: Schema.NullOr(Schema.Finite),
  /** What went wrong, in words. */
  message: Schema.NullOr(Schema.String)
})
export interface Outcome extends Schema.Schema.Type<typeof Outcome> {}

export class Runner extends Context.Service<
  Runner,
  {
    /** `due`: the time that the run is for. */
    readonly run: (task: Task, due: number) => Effect.Effect<Outcome>
    /** How a run that was under way at this time has ended since; undefined: it has not. */
    readonly ended: (task: Task, startedAt: number) => Effect.Effect<Outcome | undefined>
  }
>()("millrace/schedule/Runner") {}

export const without = (status: OutcomeStatus, message: string): Outcome => ({
  status,
  run_id: null,
  rows: {},
  changed: null,
  message
})
