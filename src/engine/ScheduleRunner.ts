/**
 * Runs a pipeline for the scheduler, and returns the outcome.
 *
 * A runner that is interrupted stops its run, and ends when the run has ended. If a run that an earlier scheduler began has
 * ended meanwhile, `ended` reports it, and it is not run again.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Task } from "./ScheduleTask.ts"

/**
 * done: every sink has it. behind: some sinks have it, and the others get it with the next run. held: a check held the
 * commit. failed: it may be tried again. wrong: the file or its environment is wrong, so trying again does not help. busy:
 * another process runs this pipeline. blocked: another process uses a destination, and no request was sent.
 */
const OutcomeStatus = Schema.Literals(["done", "behind", "held", "failed", "wrong", "busy", "blocked"])
type OutcomeStatus = typeof OutcomeStatus.Type

export const Outcome = Schema.Struct({
  status: OutcomeStatus,
  run_id: Schema.NullOr(Schema.String),
  /** Rows by table. */
  rows: Schema.Record(Schema.String, Schema.Finite),
  /** How many rows differ from the run before, if a source or a check counts them; null: not known. */
  changed: Schema.NullOr(Schema.Finite),
  /** What went wrong, in words. */
  message: Schema.NullOr(Schema.String)
})
export interface Outcome extends Schema.Schema.Type<typeof Outcome> {}

export class Runner extends Context.Service<
  Runner,
  {
    /** Runs a pipeline. `due`: the due time of the run. */
    readonly run: (task: Task, due: number) => Effect.Effect<Outcome>
    /** The outcome of a run that was under way at this time, if it has ended since; undefined: it has not. */
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
