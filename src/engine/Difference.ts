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

/** The table and the two loads to compare. */
export interface DiffRequest {
  /** The table. Its key says which rows of the two loads belong together. */
  readonly table: Table.Table
  /** How the table is written, which decides what older states the destination still has. */
  readonly write: WriteDisposition
  /** In a shared table: the pipeline whose rows are compared, as in `pipelineColumn`. */
  readonly owner?: string
  /** The columns whose values are compared. */
  readonly compared: ReadonlyArray<string>
  /** Whether a load has only what is new since the load before, and not everything that the source has. */
  readonly incremental: boolean
  /** The loads of this pipeline in the destination, the oldest first. */
  readonly runs: ReadonlyArray<RunRecord>
  /** The older load. */
  readonly from: RunRecord
  /** The newer load. */
  readonly to: RunRecord
  /** The maximum number of changes in `changes`. The counts include all changes. */
  readonly limit?: number
  /** Only rows in which a number moved in one direction are in `changes`, those in which it moved furthest first. */
  readonly by?: {
    /** One of `compared`, with numbers. */
    readonly column: string
    /** Whether it became smaller; otherwise larger. */
    readonly isDown: boolean
  }
}

/**
 * added: the row is only in the newer load. removed: only in the older one. changed: some of its fields differ. written:
 * a run after the older load wrote the row, and the destination does not have its older state, if there was one.
 */
export type Kind = "added" | "removed" | "changed" | "written"

/** One row that differs between two loads. */
export interface Change {
  /** What happened to the row. */
  readonly kind: Kind
  /** The key of the row, as JSON values (`CellJson`); empty if the table has no key. */
  readonly key: Readonly<Record<string, unknown>>
  /** The fields that differ; of a row that was added, removed or written, the fields that are not null. */
  readonly fields: ReadonlyArray<string>
  /** The values of those fields in the older load, as JSON values; empty for a row that was added. */
  readonly old: Readonly<Record<string, unknown>>
  /** The values of those fields in the newer load, as JSON values; empty for a row that was removed. */
  readonly new: Readonly<Record<string, unknown>>
}

/** What changed in a table between two loads. */
export interface Differences {
  /** How the destination found the two states, in words. */
  readonly basis: string
  /** Whether the destination has both states. If not, rows that were written since the older load are only `written`. */
  readonly whole: boolean
  /** The number of rows in the two states, if known; `from` is 0 if the older state is missing. */
  readonly rows?: { readonly from: number; readonly to: number }
  /** The number of changes of each kind. */
  readonly counts: Readonly<Record<Kind, number>>
  /** The number of changed rows in which each field differs. */
  readonly fields: Readonly<Record<string, number>>
  /** Only with `by`: the number of rows in which it moved in that direction. */
  readonly moved?: number
  /** The changes, in the order of their keys, if nothing else is asked for. */
  readonly changes: Stream.Stream<Change, SinkError>
}

/** How a sink answers a `DiffRequest`. It fails with `SinkError` if it cannot compare. */
export type DiffProvider<R> = (directory: string, ask: DiffRequest) => Effect.Effect<Differences, SinkError, R>
