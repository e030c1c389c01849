/**
 * What changed in a table between two of its loads, as far as a destination can report it.
 *
 * A destination reports what it still has. If it no longer has the older state, it says so (`whole` is false, and
 * `basis` says why) or fails; it never reports rows as unchanged that it cannot compare.
 */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { RunRecord, SinkError } from "./Commit.ts"
import type * as Table from "./Table.ts"
import type { WriteDisposition } from "./WriteDisposition.ts"

/** Which table is asked about, and which loads. */
export interface DiffRequest {
  /** The table, with the key by which rows are found again. */
  readonly table: Table.Table
  /** How the table is written: that decides which older states a destination still has. */
  readonly write: WriteDisposition
  /** Whose rows are compared, where other pipelines write the same table: `pipelineColumn` has it. */
  readonly owner?: string
  /** The columns whose values are compared; rows are found by the key of the table. */
  readonly compared: ReadonlyArray<string>
  /** Whether a load holds only what came since the one before, and not everything that its source has. */
  readonly incremental: boolean
  /** The loads of the destination that are of this pipeline, in their order. */
  readonly runs: ReadonlyArray<RunRecord>
  /** The older load. */
  readonly from: RunRecord
  /** The newer load. */
  readonly to: RunRecord
  /** The maximum number of changes in `changes`; all are counted. */
  readonly limit?: number
}

/**
 * added, removed: the row is in one load and not in the other. changed: some of its fields differ. written: a run after
 * the older load wrote it, and what stood there before is not kept, if anything did.
 */
export type Kind = "added" | "removed" | "changed" | "written"

/** One row that differs between two loads. */
export interface Change {
  /** What became of the row. */
  readonly kind: Kind
  /** As JSON values (`CellJson`), as are the values. Empty where the table has no key. */
  readonly key: Readonly<Record<string, unknown>>
  /** The fields that differ; of a row that is not changed, those that hold something. */
  readonly fields: ReadonlyArray<string>
  /** Their values in either load. */
  readonly old: Readonly<Record<string, unknown>>
  /** The values after it; empty for a row that was removed. */
  readonly new: Readonly<Record<string, unknown>>
}

/** What changed in a table between two loads. */
export interface Differences {
  /** How the two states were found, in words. */
  readonly basis: string
  /** Whether both states are there. Where not, what changed is only known as `written`. */
  readonly whole: boolean
  /** Rows of the two states, where that is known; those of the older are 0 where it is not there. */
  readonly rows?: { readonly from: number; readonly to: number }
  /** How many rows there are of each kind. */
  readonly counts: Readonly<Record<Kind, number>>
  /** In how many changed rows each field differs. */
  readonly fields: Readonly<Record<string, number>>
  /** In the order of their keys. */
  readonly changes: Stream.Stream<Change, SinkError>
}

/** How a sink answers a `DiffRequest`. It fails with `SinkError` if it cannot compare. */
export type DiffProvider<R> = (directory: string, ask: DiffRequest) => Effect.Effect<Differences, SinkError, R>
