/**
 * A table: a name, the schema of its rows, and the columns that follow from it. A batch is some rows of one table.
 *
 * Columns are derived from the schema once, when the table is made, and every sink writes those columns in that order. In
 * a row, a nullable column may be null or absent.
 */
import type * as Schema from "effect/Schema"
import * as Column from "./Column.ts"
import type { Batch, Presence, Row, Table } from "./TableShape.ts"

export type * from "./TableShape.ts"

/** The options of `Table.make`. */
export interface Parts<Fields extends Schema.Struct.Fields> {
  /** The SQL name: snake_case. */
  readonly name: string
  /** What one row is, in one sentence. */
  readonly description: string
  /** The schema of a row: a field for each column, in the order of the columns. */
  readonly schema: Schema.Struct<Fields>
  /** The columns that identify a row; default: none. */
  readonly key?: ReadonlyArray<keyof Fields & string>
  /** The table that its rows belong to, and the columns that join the two; default: none. */
  readonly parent?: { readonly table: string; readonly on: { readonly [K in keyof Fields & string]?: string } }
  /** As `Table.presence`; default: every row is "seen". */
  readonly presence?: (row: Row) => Presence
  /** The columns that decide whether a row has changed; default: all but the key and those of the visit. */
  readonly fingerprint?: ReadonlyArray<keyof Fields & string>
  /** As `Table.visit`; default: only the system columns. */
  readonly visit?: { readonly [K in keyof Fields & string]?: true | ReadonlyArray<string> }
  /** As `Table.reading`; default: no column depends on the version of a program. */
  readonly reading?: {
    readonly version: keyof Fields & string
    readonly columns: { readonly [K in keyof Fields & string]?: true | ReadonlyArray<string> }
  }
  /** As `Table.suffix`; default: the table keeps its name when the main table is renamed. */
  readonly suffix?: string
}

/**
 * Makes a table of the schema of its rows: each field is a column. `key` names the columns that identify a row.
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
export const make = <const Fields extends Schema.Struct.Fields>(options: Parts<Fields>): Table => ({
  name: options.name,
  description: options.description,
  key: options.key ?? [],
  columns: Column.fromSchema(options.schema),
  ...(options.parent === undefined
    ? {}
    : { parent: { table: options.parent.table, on: withoutUndefined<string>(options.parent.on) } }),
  ...(options.presence === undefined ? {} : { presence: options.presence }),
  ...(options.fingerprint === undefined ? {} : { fingerprint: options.fingerprint }),
  ...(options.visit === undefined ? {} : { visit: withoutUndefined<true | ReadonlyArray<string>>(options.visit) }),
  ...(options.reading === undefined
    ? {}
    : {
        reading: {
          version: options.reading.version,
          columns: withoutUndefined<true | ReadonlyArray<string>>(options.reading.columns)
        }
      }),
  ...(options.suffix === undefined ? {} : { suffix: options.suffix })
})

const withoutUndefined = <Said>(of: { readonly [name: string]: Said | undefined }): Record<string, Said> =>
  Object.fromEntries(
    Object.entries(of).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  )

/**
 * Whether a column describes the visit, so that a row that differs only in it has not changed.
 *
 * @internal
 */
export const isOfVisit = ({ visit }: Table, column: string): boolean =>
  systemColumns.has(column) || visit?.[column] === true

/** Columns of Millrace. Other columns that begin with `_` are data, such as `_2024` in a table with a column for each year. */
const systemColumns: ReadonlySet<string> = new Set(["_run_id", "_pipeline", "_fetched_at", "_source_url", "_job_id"])

/**
 * The reading of a table in a destination: the column with its version, and the columns that depend on it. Undefined: the
 * table has none, or the destination lacks the column.
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
 * Makes a batch of at least one row.
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
 * console.log(Table.batches(people, []), Table.batches(people, [{ id: 1 }]).length) // [] 1
 * ```
 */
export const batches = (table: Table, rows: ReadonlyArray<Row>): ReadonlyArray<Batch> =>
  rows.length === 0 ? [] : [batch(table, rows)]

/**
 * The values of some columns of a row as one text. Equal values give equal texts; 1 and 1n are the same BIGINT.
 *
 * @internal
 */
export const keyText = (row: Row, columns: ReadonlyArray<string>): string =>
  JSON.stringify(columns.map((column) => ((row[column] ?? null) === null ? null : String(row[column]))))

/**
 * Whether one of these columns is null in a row.
 *
 * @internal
 */
export const lacksKey = (row: Row, columns: ReadonlyArray<string>): boolean =>
  columns.some((column) => (row[column] ?? null) === null)

/**
 * The table with more columns after its own; the engine adds `_run_id` this way.
 *
 * @internal
 */
export const extend = (table: Table, columns: ReadonlyArray<Column.Column>): Table => ({
  ...table,
  columns: [...table.columns, ...columns]
})

/**
 * The table with the user's descriptions of it and of its columns.
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
    const description = Object.hasOwn(columns, column.name) ? columns[column.name] : undefined
    return description === undefined ? column : { ...column, description: description }
  })
})

/**
 * The columns that decide whether a row of this table has changed: those that the user names (`chosen`), otherwise those of
 * the table. The default has neither the key nor columns of the visit.
 *
 * @internal
 */
export const fingerprintOf = (table: Table, chosen: ReadonlyArray<string> | undefined): ReadonlyArray<string> => {
  const own = table.columns
    .map(({ name }) => name)
    .filter((name) => !isOfVisit(table, name) && !table.key.includes(name))
  const wanted = chosen ?? table.fingerprint?.filter((name) => own.includes(name)) ?? []
  return wanted.length > 0 ? wanted : own
}

/**
 * The columns of the fingerprint that this table lacks, and that a destination may have: a column without values in a run may
 * not be in its table. "all": each column that the table lacks, because no columns are named.
 *
 * @internal
 */
export const absentOf = (table: Table, chosen: ReadonlyArray<string> | undefined): ReadonlyArray<string> | "all" => {
  const named = chosen ?? table.fingerprint ?? []
  const absent = named.filter((name) => Column.named(table.columns, name) === undefined)
  return chosen !== undefined || absent.length < named.length ? absent : "all"
}
