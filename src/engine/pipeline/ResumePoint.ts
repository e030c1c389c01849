/** Where a source begins to read, and what it may use. */
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Segment } from "#base/Segment"
import type { RunSegments } from "../Journal.ts"
import type { SourceError } from "./SourceError.ts"

/** Where reading begins. */
export interface ResumePoint<State, Cursor> {
  /** The checkpoint of the last run; none: the beginning. */
  readonly start: Option.Option<State>
  /** The cursor of the last answer of this run in the journal: reading continues after it. None: the journal is empty. */
  readonly after: Option.Option<Cursor>
  /** The idempotency key of the run: every attempt of one run has the same, and no other run has it. */
  readonly key: string
  /** What the run may use. */
  readonly limits: Limits
  /** The folder that relative paths start from: that of the pipeline file. */
  readonly directory: string
  /** Files for a source that reads in this process; absent: the reading cannot be continued after a kill. */
  readonly segments?: Effect.Effect<RunSegments, SourceError>
  /** Present if the source may report things as unchanged instead of emitting their rows; absent: it reads everything. */
  readonly revalidation?: Revalidation | undefined
  /** Whether the run commits while it reads. The source then emits rows as soon as they are final, not at its end. */
  readonly commitsWhileReading?: boolean
}

/** What a source may know of the last run, so that it requests only what has changed. */
export interface Revalidation {
  /** What the source wrote into `segments.known` in the last run; undefined: not every destination has those rows. */
  readonly known: Segment | undefined
}

/** What one run may use: `limits:` of the pipeline. A source obeys the limits that apply to it. */
export interface Limits {
  /** The maximum number of credits that the service may charge; default: no limit. */
  readonly credits?: number
  /** The maximum number of requests in flight; default: that of the source. */
  readonly concurrency?: number
}
