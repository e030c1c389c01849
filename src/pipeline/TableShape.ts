/** What a table is, as sources, the engine and sinks see it. */
import type * as Column from "./Column.ts"

/** One row: column name to cell. The values are those of `Column`. */
export type Row = Readonly<Record<string, unknown>>

/** A table: its name, its columns, what names a row, and which table its rows belong to. */
export interface Table {
  /** The SQL name: snake_case. */
  readonly name: string
  /** What one row is, in one sentence, for people who meet the table. */
  readonly description: string
  /** The columns that name a row: what merge replaces by, and what is unique. Empty: rows have no name. */
  readonly key: ReadonlyArray<string>
  /** In the order in which destinations have them. */
  readonly columns: ReadonlyArray<Column.Column>
  /**
   * Where the rows of this table belong to rows of another: its name, and which of our columns hold which of its.
   * Merging the parent replaces all children of each parent row that was written, also by none. Children are written
   * after the batch with their parent, so that of two versions of a parent each has its own.
   */
  readonly parent?: Parent
  /**
   * What a row says of the thing that its key names: "seen" as it is; "gone", as a page that answers 404; "failed", when
   * nothing could be learned of it, as with a page that answers 500. Every row is "seen" where this is absent. A failed row
   * is never written, under no disposition: a stored row of its key stays as it is. scd2 makes no version of a row that is
   * gone.
   */
  readonly presence?: (row: Row) => Presence
  /** The columns whose change makes a row a changed one, where the user does not say; all but those of the visit if absent. */
  readonly fingerprint?: ReadonlyArray<string>
  /**
   * The columns that describe the visit and not the thing, as when and by which request a page was read: merge leaves a
   * stored row as it is where the new one differs in nothing else. `_run_id`, `_pipeline`, `_fetched_at`, `_source_url` and
   * `_job_id` are always among them. Of a JSON column that has copies of such values: the names of its members that do not count.
   */
  readonly visit?: Readonly<Record<string, true | ReadonlyArray<string>>>
  /** What of a row follows from the program that read it, and which column has the version of that program. */
  readonly reading?: Reading
  /** What follows the main table's name where the user renames that: "_links" makes `articles_links` of `page_links`. */
  readonly suffix?: string
  /**
   * What becomes of lists and structs where the user does not say: "tables" where the lists of a row are rows of their own
   * by nature. Lists stay as they are if absent.
   */
  readonly nested?: "struct" | "json" | "tables"
  /**
   * Whether a row comes in parts: of the rows of one key within a run the first counts, and those after it fill what it
   * leaves null. The engine holds such rows, and those of tables that belong to them, until everything is read.
   */
  readonly mergePartialRows?: boolean
}

/**
 * Rows that are read by a program which gets better. Where a stored row has another version than the one that comes, merge
 * and scd2 do not compare `columns`: if nothing else differs, it is the same row read anew. It then gets the new values
 * where it is: it counts as unchanged, no version begins, and it keeps its `_run_id` and its `valid_from`. A row that comes
 * without a version is compared as always.
 */
export interface Reading {
  /** The nullable column with the version of the program. A stored row without one is of another version. */
  readonly version: string
  /** The columns that the program fills. Of a JSON column that has copies of such values: the names of its members. */
  readonly columns: Readonly<Record<string, true | ReadonlyArray<string>>>
}

/** What a row says of its thing: it was seen, it is gone, or it could not be read. */
export type Presence = "seen" | "gone" | "failed"

/** The table that rows belong to. */
export interface Parent {
  /** The name of the parent. */
  readonly table: string
  /** Our column to the parent's column. */
  readonly on: Readonly<Record<string, string>>
}

/** Some rows of one table. */
export interface Batch {
  readonly _tag: "Batch"
  /** The table that the rows are of. */
  readonly table: Table
  /** In the order read. Never empty. */
  readonly rows: ReadonlyArray<Row>
}
