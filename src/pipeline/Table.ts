/**
 * A table: a name, the schema of its rows, and the columns that follow from it. A batch is some rows of one table.
 *
 * Columns are derived from the schema once, when the table is made; every sink writes exactly those columns in that
 * order. A nullable column may be null in a row, or absent.
 */
import type * as Schema from "effect/Schema"
import * as Column from "./Column.ts"
import type { Batch, Presence, Row, Table } from "./TableShape.ts"

export type * from "./TableShape.ts"

/** What `Table.make` makes a table of. */
export interface Parts<Fields extends Schema.Struct.Fields> {
  /** The SQL name: snake_case. */
  readonly name: string
  /** What one row is, in one sentence. */
  readonly description: string
  /** The schema of a row: a field for each column, in the order of the columns. */
  readonly schema: Schema.Struct<Fields>
  /** The columns that name a row; default: none does. */
  readonly key?: ReadonlyArray<keyof Fields & string>
  /** The table that its rows belong to, and which columns join them; default: none. */
  readonly parent?: { readonly table: string; readonly on: { readonly [K in keyof Fields & string]?: string } }
  /** As `Table.presence`; default: every row is "seen". */
  readonly presence?: (row: Row) => Presence
  /** The columns whose change makes a row a changed one; default: all but the key and Millrace's own. */
  readonly fingerprint?: ReadonlyArray<keyof Fields & string>
  /** As `Table.visit`; default: the system columns alone. */
  readonly visit?: { readonly [K in keyof Fields & string]?: true | ReadonlyArray<string> }
  /** As `Table.reading`; default: no column follows from a program. */
  readonly reading?: {
    readonly version: keyof Fields & string
    readonly columns: { readonly [K in keyof Fields & string]?: true | ReadonlyArray<string> }
  }
  /** As `Table.suffix`; default: the name stays as it is. */
  readonly suffix?: string
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
export const make = <const Fields extends Schema.Struct.Fields>(options: Parts<Fields>): Table => ({
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
  systemColumns.has(column) || visit?.[column] === true

/** Millrace's own. Others that begin with `_` are data like any other, as `_2024` of a table with a column for each year. */
const systemColumns: ReadonlySet<string> = new Set(["_run_id", "_pipeline", "_fetched_at", "_source_url", "_job_id"])

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
 * console.log(Table.batches(people, []), Table.batches(people, [{ id: 1 }]).length) // [] 1
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
    const said = Object.hasOwn(columns, column.name) ? columns[column.name] : undefined
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
