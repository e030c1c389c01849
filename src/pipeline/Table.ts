/**
 * A table: a name, the schema of its rows, and the columns that follow from it. A batch is some rows of one table.
 *
 * Columns are derived from the schema once, when the table is made; every sink writes exactly those columns in that
 * order. A nullable column may be null in a row, or absent.
 */
import type * as Schema from "effect/Schema"
import * as Column from "./Column.ts"

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
  /** The columns whose change makes a row a changed one, where the user does not say; all but system ones if absent. */
  readonly fingerprint?: ReadonlyArray<string>
  /**
   * The columns that describe the visit and not the thing, as when and by which request a page was read: merge leaves a
   * stored row as it is where the new one differs in nothing else. System columns, whose names begin with `_`, are always
   * among them. Of a JSON column that has copies of such values: the names of its members that do not count.
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
  readonly table: string
  /** Our column to the parent's column. */
  readonly on: Readonly<Record<string, string>>
}

/** Some rows of one table. */
export interface Batch {
  readonly _tag: "Batch"
  readonly table: Table
  /** In the order read. Never empty. */
  readonly rows: ReadonlyArray<Row>
}

/**
 * A table from the schema of its rows: each field is a column. `key` names the columns that identify a row.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Table } from "millrace"
 *
 * const people = Table.make({
 *   name: "people",
 *   description: "one row per person",
 *   key: ["id"],
 *   schema: Schema.Struct({ id: Schema.Int, name: Schema.NullOr(Schema.String) })
 * })
 * console.log(people.columns.map(({ name, nullable }) => [name, nullable])) // [["id", false], ["name", true]]
 * ```
 */
export const make = <const Fields extends Schema.Struct.Fields>(options: {
  readonly name: string
  readonly description: string
  readonly schema: Schema.Struct<Fields>
  readonly key?: ReadonlyArray<keyof Fields & string>
  readonly parent?: { readonly table: string; readonly on: { readonly [K in keyof Fields & string]?: string } }
  readonly presence?: (row: Row) => Presence
  readonly fingerprint?: ReadonlyArray<keyof Fields & string>
  readonly visit?: { readonly [K in keyof Fields & string]?: true | ReadonlyArray<string> }
  readonly reading?: {
    readonly version: keyof Fields & string
    readonly columns: { readonly [K in keyof Fields & string]?: true | ReadonlyArray<string> }
  }
  readonly suffix?: string
}): Table => ({
  name: options.name,
  description: options.description,
  key: options.key ?? [],
  columns: Column.fromSchema(options.schema),
  ...(options.parent === undefined
    ? {}
    : { parent: { table: options.parent.table, on: said<string>(options.parent.on) } }),
  ...(options.presence === undefined ? {} : { presence: options.presence }),
  ...(options.fingerprint === undefined ? {} : { fingerprint: options.fingerprint }),
  ...(options.visit === undefined ? {} : { visit: said<true | ReadonlyArray<string>>(options.visit) }),
  ...(options.reading === undefined
    ? {}
    : {
        reading: {
          version: options.reading.version,
          columns: said<true | ReadonlyArray<string>>(options.reading.columns)
        }
      }),
  ...(options.suffix === undefined ? {} : { suffix: options.suffix })
})

const said = <Said>(of: { readonly [name: string]: Said | undefined }): Record<string, Said> =>
  Object.fromEntries(
    Object.entries(of).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  )

/**
 * Whether a column describes the visit as a whole, so that a difference in it alone makes no changed row.
 *
 * @internal
 */
export const isOfVisit = ({ visit }: Table, column: string): boolean =>
  column.startsWith("_") || visit?.[column] === true

/**
 * Of a table in a destination: the column with the version of its reading, and the columns that follow from that.
 *
 * @internal
 */
export const readingIn = (
  { parent, reading }: Table,
  columns: ReadonlyArray<Column.Column>
): { readonly version: string; readonly columns: ReadonlyArray<string> } | undefined =>
  reading === undefined || parent !== undefined || Column.named(columns, reading.version) === undefined
    ? undefined
    : {
        version: reading.version,
        columns: [reading.version, ...Object.keys(reading.columns).filter((name) => reading.columns[name] === true)]
      }

/**
 * Some rows of a table. There must be at least one.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Table } from "millrace"
 *
 * const people = Table.make({ name: "people", description: "people", schema: Schema.Struct({ id: Schema.Int }) })
 * console.log(Table.batch(people, [{ id: 1 }])._tag) // "Batch"
 * ```
 */
export const batch = (table: Table, rows: ReadonlyArray<Row>): Batch => ({ _tag: "Batch", table, rows })

/**
 * A list with one batch, or an empty list if there are no rows.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Table } from "millrace"
 *
 * const people = Table.make({ name: "people", description: "people", schema: Schema.Struct({ id: Schema.Int }) })
 * console.log(Table.batches(people, []).length) // 0
 * ```
 */
export const batches = (table: Table, rows: ReadonlyArray<Row>): ReadonlyArray<Batch> =>
  rows.length === 0 ? [] : [batch(table, rows)]

/**
 * What some columns of a row hold, as a text: rows with the same have the same. 1 and 1n are the same BIGINT.
 *
 * @internal
 */
export const keyText = (row: Row, columns: ReadonlyArray<string>): string =>
  JSON.stringify(columns.map((column) => String(row[column])))

/**
 * The table with more columns after its own: how the engine adds `_run_id`.
 *
 * @internal
 */
export const extend = (table: Table, columns: ReadonlyArray<Column.Column>): Table => ({
  ...table,
  columns: [...table.columns, ...columns]
})

/**
 * The table with what its user says that it is, and that its columns hold.
 *
 * @internal
 */
export const described = (
  table: Table,
  description: string | undefined,
  columns: Readonly<Record<string, string>>
): Table => ({
  ...table,
  description: description ?? table.description,
  columns: table.columns.map((column) => {
    const said = columns[column.name]
    return said === undefined ? column : { ...column, description: said }
  })
})

/**
 * The columns whose change makes a row of this table a changed one: never its key, nor what says where it came from.
 * What describes the visit counts only where the user names it.
 *
 * @internal
 */
export const fingerprintOf = (table: Table, said: ReadonlyArray<string> | undefined): ReadonlyArray<string> => {
  const own = table.columns
    .map(({ name }) => name)
    .filter((name) => !isOfVisit(table, name) && !table.key.includes(name))
  const wanted = said ?? table.fingerprint?.filter((name) => own.includes(name)) ?? []
  return wanted.length > 0 ? wanted : own
}
