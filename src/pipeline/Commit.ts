/** What a sink gets at a commit, what it remembers of the run, and what it answers. */
import * as Schema from "effect/Schema"
import type * as Checkpoint from "./Checkpoint.ts"
import type { ColumnProfile } from "./profile/ColumnProfile.ts"

/**
 * What a sink commits: the checkpoint, and the run's record, checks and profiles. All of it becomes visible with the
 * rows.
 */
export interface Commit {
  /** Where the next run of this pipeline begins. */
  readonly checkpoint: Checkpoint.Stored
  /** The run's own record, kept beside the rows as `_millrace_runs`. */
  readonly run: RunRecord
  /** What was checked before the commit, kept as `_millrace_checks`. */
  readonly checks: ReadonlyArray<CheckRecord>
  /** What the columns of its rows were, kept as `_millrace_profiles`; absent while the run still reads. */
  readonly profiles?: ReadonlyArray<ColumnProfile>
  /**
   * Whether the run saw everything that there is. Only then does replace remove rows that it did not write, and scd2 with
   * `removed: close` close what it did not see.
   */
  readonly complete: boolean
}

/** One expectation and what came of it. */
export interface CheckRecord {
  /** As the file says it: "not_null: url". */
  readonly check: string
  /** The table that was looked at. */
  readonly table: string
  /** Whether it holds. */
  readonly passed: boolean
  /** What was found, in words: "3 of 392 rows have no title". */
  readonly found: string
}

/** What a destination keeps of a run beside its record. */
export interface RunDetails {
  /** The run that they are of. */
  readonly runId: string
  /** What was checked before its last commit; empty: the pipeline has no checks. */
  readonly checks: ReadonlyArray<CheckRecord>
  /** None of a run of version 0.1. */
  readonly profiles: ReadonlyArray<ColumnProfile>
  /** Bytes that each of its tables took when it had committed, where the destination knows them. */
  readonly bytes?: Readonly<Record<string, number>>
}

/** What a destination keeps of a run, as `_millrace_runs`. Times are microseconds since the epoch. */
export interface RunRecord {
  /** The run, such as "20261121T042305345Z-41ac7e". */
  readonly runId: string
  /** The name of the pipeline. */
  readonly pipeline: string
  /** Microseconds since the epoch. */
  readonly startedAt: bigint
  /** Microseconds since the epoch, of its last commit. */
  readonly committedAt: bigint
  /** What was counted: discovered, loaded, rejected, dropped, failed, blocked, left, credits ... */
  readonly facts: Readonly<Record<string, number>>
  /** Rows written, by table. */
  readonly rows: Readonly<Record<string, number>>
  /** The key that its caller gave it: a run that committed under a key is not made again. */
  readonly once?: string
}

/**
 * Whether a run was still reading when it committed last: not all of its rows are there.
 *
 * @internal
 */
export const isUnfinished = ({ facts }: Pick<RunRecord, "facts">): boolean => facts["unfinished"] === 1

/** A caller's key, which counts for one pipeline. */
export interface OnceKey {
  /** The name of the pipeline. */
  readonly pipeline: string
  /** The key, as `--once KEY` or `once:` gave it. */
  readonly once: string
}

/** What a commit did: where the rows are, and how many of each table. */
export interface CommitResult {
  /** Where a person finds it: a file, a folder, a URL. */
  readonly location: string
  /** Rows of each table in this commit: those that the destination says it wrote. */
  readonly rows: Readonly<Record<string, number>>
  /** What became of the rows of each table. */
  readonly tables: Readonly<Record<string, TableResult>>
  /** Bytes written to the destination, where it can tell. */
  readonly bytes?: number
}

/** What a commit did with the rows of one table, as the destination counts them: received = written + unchanged + superseded. */
export interface TableResult {
  /** Rows that the sink was handed since the last commit. */
  readonly received: number
  /** Rows that are in the destination because of this commit: inserted, or in the place of others; of scd2: versions made. */
  readonly written: number
  /** Rows whose stored counterpart says the same and was left as it was: of merge and scd2. */
  readonly unchanged: number
  /** Rows that a later row of this commit took the place of, because both have the same key or parent. */
  readonly superseded: number
  /** Stored rows of other runs that replace left, because this run could not learn them or was not complete. */
  readonly kept: number
}

/**
 * A sink that cannot go on. The message says what happened, to what, and what to do.
 *
 * @example
 * ```ts
 * import { Sink } from "millrace"
 *
 * const full = new Sink.SinkError({ sink: "jsonl", message: "out.jsonl: the disk is full; make room", retryable: false })
 * console.log(full._tag) // "SinkError"
 * ```
 */
export class SinkError extends Schema.TaggedError<SinkError>()("SinkError", {
  /** The type of the sink. */
  sink: Schema.String,
  message: Schema.String,
  /** Whether the same call may succeed a little later. */
  retryable: Schema.Boolean,
  cause: Schema.optionalKey(Schema.Defect())
}) {}
