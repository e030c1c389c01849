/**
 * What a source is answered, and what it makes of that: rows, rejects, keys that it could not learn, counts, warnings, and the
 * place where the next run begins.
 */
import type * as Checkpoint from "./Checkpoint.ts"
import type * as Table from "./Table.ts"

/**
 * One answer to a source, unchanged: the unit of the journal.
 *
 * The text is what the source answered, before any code interpreted it. A run makes everything from such answers, so the
 * same answers give the same rows, today and from the journal next year. What is large is not in the text: a source that
 * reads in this process keeps it in blocks of the run (`RunSegments`), once, and its answers name them.
 */
export interface SourceResponse {
  /** What was asked, in the source's own words: "started", "pages". */
  readonly kind: string
  /** When it came, in milliseconds since the epoch. */
  readonly at: number
  /** What was said, unparsed. */
  readonly text: string
  /** Where the source continues after this answer: its cursor, encoded to JSON. */
  readonly cursor: unknown
  /** The numbers of the blocks that belong to this answer, among those of the run. */
  readonly blocks?: ReadonlyArray<number>
  /** What is in them, as whoever has the answer read it. It is not kept with the answer again. */
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
 * A row that could not be made of what was said. It goes to the table of rejects.
 *
 * `answer` is one that says this row alone: parsing it again, when the source has learned to, gives the row.
 */
export interface Reject {
  readonly _tag: "Reject"
  /** The table that the row was meant for. */
  readonly table: Table.Table
  /** What does not fit, in words. */
  readonly reason: string
  /** Which part of it does not fit, where that is known. */
  readonly path?: string
  /** What was said, as JSON. */
  readonly raw: unknown
  /** One that says this row alone; absent: the row cannot be made again. */
  readonly answer?: SourceResponse
}

/**
 * News for the terminal, and for the run's record: `facts` are counts that a run shows and keeps
 * (discovered, completed, failed, blocked, credits), each as the latest value, not as a difference. Where what is
 * discovered is not one row each, `read` says how many of them were read; `filled` and `missing` are the values that rows
 * must have, those that were found and those that were not. `skipped` are those of the failed that are not rows of it,
 * and `unread_parts` what it could not look into, as a sitemap, so that nobody knows what it lacks; `unread_names` is a number
 * that differs where they are others (`crc32` of their names). A source that remembers
 * its keys says in `doubtful` whether anything unread may hide what is gone: 0 or 1.
 */
export interface Progress {
  readonly _tag: "Progress"
  /** The latest values, by name; names that are missing stay as they were. */
  readonly facts: Readonly<Record<string, number>>
  /** What it could not look into and why, in words, where `unread_parts` counts any. */
  readonly unread?: string
}

/** Keys of rows that may be there and could not be learned this time, as pages that failed: not seen, and not gone. */
export interface UnknownKeys {
  readonly _tag: "UnknownKeys"
  /** The table whose rows they name. */
  readonly table: Table.Table
  /** Rows that have the columns of the key. */
  readonly keys: ReadonlyArray<Table.Row>
  /** What kept them from being learned, in a few words: "HTTP 503", "timed out"; or "ROBOTS_BLOCKED". The run prints how many there are of each. */
  readonly why?: string
}

/** Keys of rows that are as the last run has committed them: they are there, and nothing of them is written. */
export interface Unchanged {
  readonly _tag: "Unchanged"
  /** The table whose rows they name. */
  readonly table: Table.Table
  /** Rows that have the columns of the key. */
  readonly keys: ReadonlyArray<Table.Row>
}

/**
 * What a person should know of rows that are there all the same, as that a page was empty without a browser. The run prints it,
 * once for all warnings that differ in an address or a number alone.
 */
export interface Warning {
  readonly _tag: "Warning"
  /** What happened and what to do, in words. */
  readonly message: string
  /** What it is said of, such as URLs of pages; empty: the reading as a whole. */
  readonly about: ReadonlyArray<string>
}

/**
 * Warnings of rows, those with the same words in one. Rows of which nothing is said may be among them.
 *
 * @example
 * ```ts
 * import { Source } from "millrace"
 *
 * const said = Source.warnings([["/a", "it is empty"], ["/b", undefined], ["/c", "it is empty"]])
 * console.log(said) // [{ _tag: "Warning", message: "it is empty", about: ["/a", "/c"] }]
 * ```
 */
export const warnings = (
  said: Iterable<readonly [about: string, message: string | null | undefined]>
): ReadonlyArray<Warning> => {
  const kinds = new Map<string, Array<string>>()
  for (const [about, message] of said) {
    if (message === undefined || message === null || message === "") continue
    const known = kinds.get(message)
    if (known === undefined) kinds.set(message, [about])
    else known.push(about)
  }
  return Array.from(kinds, ([message, about]) => ({ _tag: "Warning", message, about }))
}

/**
 * Says what a source has counted so far: the latest values, not differences.
 *
 * @example
 * ```ts
 * import { Source } from "millrace"
 *
 * console.log(Source.progress({ discovered: 10, failed: 1 })) // { _tag: "Progress", facts: { discovered: 10, failed: 1 } }
 * ```
 */
export const progress = (facts: Readonly<Record<string, number>>): Progress => ({ _tag: "Progress", facts })
