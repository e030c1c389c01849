/** The type of a table, for sources, the engine and sinks. */
import type * as Column from "./Column.ts"

/** One row: column name to cell. The values are those of `Column`. */
export type Row = Readonly<Record<string, unknown>>

/** A table: its name, its columns, its key, and the table that its rows belong to. */
export interface Table {
  /** The SQL name: snake_case. */
  readonly name: string
  /** What one row is, in one sentence. */
  readonly description: string
  /** The columns that identify a row: they are unique, and merge finds the stored row by them. Empty: there is no key. */
  readonly key: ReadonlyArray<string>
  /** The columns, in the order in which destinations have them. */
  readonly columns: ReadonlyArray<Column.Column>
  /**
   * The table whose rows the rows of this table belong to. When a parent row is merged, its new children replace all of its
   * stored children, even if it has no new ones. A source emits children after the batch with their parent, so that each
   * of two versions of a parent has its own children. Children that are written with scd2, as their parent, have the
   * versions of their row: they begin and end with it.
   */
  readonly parent?: Parent
  /**
   * What a row says about the thing that its key identifies. "seen": it is there. "gone": it no longer exists, as a page
   * that answers 404. "failed": it could not be read, as a page that answers 500. "unread": it is there, and its row has
   * only what is known without reading it, as a page that scripts fill where there is no browser. Absent: every row is
   * "seen". A failed row is never written, and an unread row only if no row of its key is stored: a stored row stays as it
   * is. scd2 makes no version of a row that is gone.
   */
  readonly presence?: (row: Row) => Presence
  /** The columns that decide whether a row has changed, unless the user sets them; absent: all but key and visit. */
  readonly fingerprint?: ReadonlyArray<string>
  /**
   * The columns that describe the visit and not the thing, such as when and by which request a page was read. If a new row
   * differs only in them, merge leaves the stored row as it is. `_run_id`, `_pipeline`, `_fetched_at`, `_source_url` and
   * `_job_id` are always among them. A list of names: the members of a JSON column that describe the visit.
   */
  readonly visit?: Readonly<Record<string, true | ReadonlyArray<string>>>
  /** The columns that depend on the version of the program that read the row, and the column with that version. */
  readonly reading?: Reading
  /** The end of its name if the user renames the main table: "_links" makes `articles_links` of `page_links`. */
  readonly suffix?: string
  /** How lists and structs are stored, unless the user sets it; absent: "struct". */
  readonly nested?: "struct" | "json" | "tables"
  /**
   * Whether rows arrive in parts: within a run, later rows of a key fill only what its first row leaves null. The engine
   * holds such rows, and rows of tables that belong to them, until everything is read.
   */
  readonly mergePartialRows?: boolean
}

/**
 * Columns that a program fills, whose later versions may give other values for the same thing. If a new row has another
 * version than the stored row, merge and scd2 do not compare `columns`. If nothing else differs, the stored row gets the
 * new values, but counts as unchanged: it keeps its `_run_id` and its `valid_from`, and no new version begins. A new row
 * without a version is compared as usual.
 */
export interface Reading {
  /** The nullable column with the version of the program. A stored row in which it is null counts as another version. */
  readonly version: string
  /** The columns that the program fills. A list of names: the members of a JSON column that it fills. */
  readonly columns: Readonly<Record<string, true | ReadonlyArray<string>>>
}

/** What a row says about its thing: it was seen, it is gone, it could not be read, or it is there and was not read. */
export type Presence = "seen" | "gone" | "failed" | "unread"

/** The table that rows belong to. */
export interface Parent {
  /** The name of the parent. */
  readonly table: string
  /** The columns of this table that refer to the parent, each with the parent's column. */
  readonly on: Readonly<Record<string, string>>
  /** Whether the rows are items of a list of the parent: then a run without the table has no such items. Default: false. */
  readonly isList?: boolean
  /** The column of the parent that was the list, or around it: `net_price` of the table things__net_price. */
  readonly list?: string
}

/** Some rows of one table. */
export interface Batch {
  readonly _tag: "Batch"
  /** The table that the rows are of. */
  readonly table: Table
  /** The rows, in the order in which they were read. Never empty. */
  readonly rows: ReadonlyArray<Row>
}
