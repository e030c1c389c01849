/**
 * The answers that a source gets, and what it makes of them: rows, rejects, keys of rows that it did not read, counts,
 * warnings, and the checkpoint at which the next run begins.
 */
import type * as Checkpoint from "./Checkpoint.ts"
import type * as Table from "./Table.ts"

/**
 * One answer that a source got, unchanged: the unit of the journal.
 *
 * Its text is what arrived, before any code interpreted it. A run makes everything from such answers, so the same answers
 * give the same rows, today and from the journal next year. A source that reads in this process keeps large contents in
 * blocks of the run (`RunSegments`), and its answers name the blocks.
 */
export interface SourceResponse {
  /** The kind of answer, named by the source: "started", "pages". */
  readonly kind: string
  /** When it arrived, in milliseconds since the epoch. */
  readonly at: number
  /** The answer itself, unparsed. */
  readonly text: string
  /** Where the source continues after this answer: its cursor, encoded to JSON. */
  readonly cursor: unknown
  /** The numbers of the blocks of the run that belong to this answer. */
  readonly blocks?: ReadonlyArray<number>
  /** The contents of those blocks, read when the answer is used. The journal does not keep them a second time. */
  readonly contents?: ReadonlyArray<Uint8Array>
}

/** What a source makes of an answer: rows, rejects, keys, a checkpoint, counts, or warnings. */
export type Element<State> =
  | Table.Batch
  | Reject
  | UnknownKeys
  | Unchanged
  | Checkpoint.Checkpoint<State>
  | Progress
  | Warning

/**
 * A row that the source could not make of an answer. It goes to the table of rejects.
 *
 * `answer` has the data of this row alone: when the source can parse it, decoding it again gives the row.
 */
export interface Reject {
  readonly _tag: "Reject"
  /** The table that the row was meant for. */
  readonly table: Table.Table
  /** What does not fit, in words. */
  readonly reason: string
  /** The part that does not fit, if known. */
  readonly path?: string
  /** The raw value, as JSON. */
  readonly raw: unknown
  /** An answer with the data of this row alone; absent: the row cannot be made again. */
  readonly answer?: SourceResponse
}

/**
 * Counts for the terminal and for the record of the run, each as the latest value, not as a difference:
 *
 * - `discovered`, `completed`, `failed`, `blocked`, `left`, `credits`;
 * - `read`: how many of the discovered were read, for a source whose rows are not what it discovers;
 * - `without_rows`: how many of the read gave no row, for a source of which each page is to give one;
 * - `filled`, `missing`: how many required values were found, and how many were not;
 * - `lacking_COLUMN`: how many rows lack a value that this column must have;
 * - `too_slow`: how many of those left were left because their host was too slow: the run is then partial;
 * - `random_words`: 1 if the last that was read says nothing and only leads to more of the same: the run is then held;
 * - `skipped`: how many of the failed would not have been rows;
 * - `unread_parts`: how many parts, such as sitemaps, could not be read, so that nobody knows what they contain;
 * - `unread_names`: the `crc32` of the names of those parts, which shows whether they are the same as in the last run;
 * - `doubtful`: 1 if something unread may hide that a row is gone, otherwise 0; from a source that remembers its keys.
 */
export interface Progress {
  readonly _tag: "Progress"
  /** The latest values, by name. Names that are missing keep their last value. */
  readonly facts: Readonly<Record<string, number>>
  /** The parts that `unread_parts` counts, and why they could not be read, in words. */
  readonly unread?: string
}

/** Keys of rows that could not be read this time, such as pages that failed. The rows may exist: they are not removed. */
export interface UnknownKeys {
  readonly _tag: "UnknownKeys"
  /** The table that the keys belong to. */
  readonly table: Table.Table
  /** Rows that have the columns of the key. */
  readonly keys: ReadonlyArray<Table.Row>
  /** Why they could not be read: "HTTP 503", "timed out", "ROBOTS_BLOCKED". The run prints the number of each. */
  readonly why?: string
}

/** Keys of rows that exist and have not changed since the last committed run, so they are not written again. */
export interface Unchanged {
  readonly _tag: "Unchanged"
  /** The table that the keys belong to. */
  readonly table: Table.Table
  /** Rows that have the columns of the key. */
  readonly keys: ReadonlyArray<Table.Row>
}

/**
 * A warning about rows that were loaded, for example that a page is empty without a browser. Warnings that differ only in a
 * URL or a number are printed as one, with their number.
 */
export interface Warning {
  readonly _tag: "Warning"
  /** What happened and what to do, in words. */
  readonly message: string
  /** What the warning is about, such as URLs of pages; empty: the reading as a whole. */
  readonly about: ReadonlyArray<string>
}

/**
 * Groups messages about things into warnings: one warning per message. Things without a message are left out.
 *
 * @example
 * ```ts
 * import { Source } from "millrace"
 *
 * const grouped = Source.warnings([["/a", "it is empty"], ["/b", undefined], ["/c", "it is empty"]])
 * console.log(grouped) // [{ _tag: "Warning", message: "it is empty", about: ["/a", "/c"] }]
 * ```
 */
export const warnings = (
  messages: Iterable<readonly [about: string, message: string | null | undefined]>
): ReadonlyArray<Warning> => {
  const kinds = new Map<string, Array<string>>()
  for (const [about, message] of messages) {
    if (message === undefined || message === null || message === "") continue
    const known = kinds.get(message)
    if (known === undefined) kinds.set(message, [about])
    else known.push(about)
  }
  return Array.from(kinds, ([message, about]) => ({ _tag: "Warning", message, about }))
}

/**
 * Makes a `Progress` of the latest counts of a source, not differences.
 *
 * @example
 * ```ts
 * import { Source } from "millrace"
 *
 * console.log(Source.progress({ discovered: 10, failed: 1 })) // { _tag: "Progress", facts: { discovered: 10, failed: 1 } }
 * ```
 */
export const progress = (facts: Readonly<Record<string, number>>): Progress => ({ _tag: "Progress", facts })
