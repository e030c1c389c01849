/** Where a source begins to read, and what it may use for it. */
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Segment } from "../segments/Segment.ts"
import type { RunSegments } from "./Journal.ts"
import type { SourceError } from "./SourceError.ts"

/** Where reading begins. */
export interface ResumePoint<State, Cursor> {
  /** The checkpoint of the last run; none: the beginning. */
  readonly start: Option.Option<State>
  /** The cursor of the last answer of this very run that is in the journal: reading continues after it. */
  readonly after: Option.Option<Cursor>
  /** The same for every attempt of one run and for no other run: what makes a repeated order one order. */
  readonly key: string
  /** What the run may use. */
  readonly limits: Limits
  /** What relative paths start from: the folder of the pipeline file. */
  readonly directory: string
  /** Where a source that reads in this process keeps what it has; absent: the reading cannot be continued. */
  readonly segments?: Effect.Effect<RunSegments, SourceError>
  /** Where rows that are there stay there, so that it is of use to know what has not changed; absent: it reads everything. */
  readonly revalidation?: Revalidation | undefined
  /** Whether the run commits while it reads: what is certain is then told as it comes, and not when all is read. */
  readonly isTold?: boolean
}

/** What a source may know of the last run, so that it asks only for what has changed. */
export interface Revalidation {
  /** What it wrote of the last run into `segments.known`, where the rows of that run are in every destination. */
  readonly known: Segment | undefined
}

/** What one run may use, as the pipeline's `limits:` says; a source keeps to what concerns it. */
export interface Limits {
  /** The maximum number of credits that the service may charge; default: no limit. */
  readonly credits?: number
  /** Requests in flight. */
  readonly concurrency?: number
}
