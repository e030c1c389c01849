/** What a sink gets at a commit, what it keeps of the run, and what it returns. */
import * as Schema from "effect/Schema"
import type * as Checkpoint from "./Checkpoint.ts"
import type { ColumnProfile } from "./ColumnProfile.ts"

/**
 * What a sink commits: the checkpoint, and the run's record, checks and profiles. All of it becomes visible with the
 * rows.
 */
export interface Commit {
  /** Where the next run of this pipeline begins. */
  readonly checkpoint: Checkpoint.Stored
  /** The record of the run, kept in `_millrace_runs`. */
  readonly run: RunRecord
  /** The results of its checks, kept in `_millrace_checks`. */
  readonly checks: ReadonlyArray<CheckRecord>
  /** The profiles of its columns, kept in `_millrace_profiles`; absent while the run still reads. */
  readonly profiles?: ReadonlyArray<ColumnProfile>
  /**
   * Whether the run has read everything that its source has. Only then does replace remove rows that the run did not
   * write, and scd2 with `removed: close` close versions of keys that it did not see.
   */
  readonly complete: boolean
}

/** One check and its result. */
export interface CheckRecord {
  /** The check in words: "url: a value in every row". */
  readonly check: string
  /** The table that was checked. */
  readonly table: string
  /** Whether the check passed. */
  readonly passed: boolean
  /** What the check found: "3 of 392 rows have no title". */
  readonly found: string
}

/** What a destination keeps of a run beside its record. */
export interface RunDetails {
  /** The id of the run. */
  readonly runId: string
  /** The results of the checks before its last commit; empty: the pipeline has no checks. */
  readonly checks: ReadonlyArray<CheckRecord>
  /** The profiles of its columns; empty for runs that were committed without profiles. */
  readonly profiles: ReadonlyArray<ColumnProfile>
  /** The size of each table in bytes after the last commit of the run, if the destination knows it. */
  readonly bytes?: Readonly<Record<string, number>>
}

/** What a destination keeps of a run, as `_millrace_runs`. Times are microseconds since the epoch. */
export interface RunRecord {
  /** The id of the run, such as "20261121T042305345Z-41ac7e". */
  readonly runId: string
  /** The name of the pipeline. */
  readonly pipeline: string
  /** When it began: microseconds since the epoch. */
  readonly startedAt: bigint
  /** When it committed last: microseconds since the epoch. */
  readonly committedAt: bigint
  /** Counts by name: discovered, loaded, rejected, dropped, failed, blocked, left, credits ... */
  readonly facts: Readonly<Record<string, number>>
  /** Rows written, by table. */
  readonly rows: Readonly<Record<string, number>>
  /** The caller's key (`--once KEY`): after a run has committed under a key, no second run starts under it. */
  readonly once?: string
}

/**
 * Whether a run was still reading when it committed last: not all of its rows are there.
 *
 * @internal
 */
export const isUnfinished = ({ facts }: Pick<RunRecord, "facts">): boolean => facts["unfinished"] === 1

/** A caller's key. It is valid for one pipeline only. */
export interface OnceKey {
  /** The name of the pipeline. */
  readonly pipeline: string
  /** The key, as `--once KEY` or `once:` gave it. */
  readonly once: string
}

/** The result of a commit: where the rows are, and how many of each table. */
export interface CommitResult {
  /** Where a person finds the rows: a file, a folder, a URL. */
  readonly location: string
  /** The number of rows of each table that the destination reports as written by this commit. */
  readonly rows: Readonly<Record<string, number>>
  /** What happened to the rows of each table. */
  readonly tables: Readonly<Record<string, TableResult>>
  /** Bytes written to the destination, if it can report them. */
  readonly bytes?: number
}

/** What a commit did with the rows of one table, as the destination counts them: received = written + unchanged + superseded. */
export interface TableResult {
  /** Rows that the sink got since the last commit. */
  readonly received: number
  /** Rows that this commit inserted or put in the place of stored rows; with scd2, versions that it began. */
  readonly written: number
  /** Rows that equal the stored row of their key, which is left as it is: with merge and scd2. */
  readonly unchanged: number
  /** Rows that were not written because a later row of this commit has the same key or parent. */
  readonly superseded: number
  /** Stored rows that replace kept, because this run could not read them or was not complete. */
  readonly kept: number
}

/**
 * A sink that cannot continue. The message says what happened, to what, and what to do.
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
  /** Whether the same call may succeed later. */
  retryable: Schema.Boolean,
  cause: Schema.optionalKey(Schema.Defect())
}) {}
