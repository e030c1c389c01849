/**
 * Anything that can be iterated as a source: `rows([{ id: 1 }], { table: "people" })`.
 *
 * Guarantee: what is iterated belongs to this process. A run that dies while it reads is not continued by another process:
 * the next run reads its own rows from the beginning. What had been read whole is finished from the journal.
 */
import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Column from "#engine/Column"
import * as KeySchemas from "#engine/KeySchemas"
import * as Source from "#engine/Source"
import { type Columns, columnsOf } from "./columns.ts"
import { inferColumns, inference } from "./rows/inferColumns.ts"
import * as RowSpool from "./rows/RowSpool.ts"
import { decodeRows, fetchRows, type RowIterable, RowsRead, type RowTable, rowTable } from "./rows/rowAnswers.ts"

/**
 * The table that `rows` makes: its name, its key, and its columns.
 *
 * @example
 * ```ts
 * import { Column, rows, type RowsOptions } from "millrace"
 *
 * const options: RowsOptions = { table: "people", key: "id", columns: { id: "BIGINT NOT NULL", name: "VARCHAR" } }
 * const { columns } = rows([{ id: 1, name: "Ada" }], options).tables[0]
 * console.log(columns.map(({ name, nullable, type }) => [name, Column.toSql(type), nullable])) // [["id", "BIGINT", false], ["name", "VARCHAR", true]]
 * ```
 */
export interface RowsOptions {
  /** The name of the table. */
  readonly table: string
  /** The column or columns that name a row, by their names in the table. A sink that merges by default then merges. */
  readonly key?: string | ReadonlyArray<string>
  /** Names and SQL types; default: inferred from all rows. */
  readonly columns?: Columns
  /** What one row is, in a sentence. */
  readonly description?: string
}

/**
 * A source of these rows. A function is called each time that the rows are read; an iterator is read once.
 *
 * Columns that are not given follow from all rows: what is iterated is read to its end at once, and kept for the run, beyond ten
 * thousand rows on disk. With `columns` nothing is read before the run. With an async iterable whose columns are not given, the
 * answer is a promise, which `run` takes as well. What the iterable throws fails the run after the rows before it. It throws `TypeError` if the name cannot be the name of a table, if the
 * key names an unknown column, or if no columns are known. A source that can be read once and is read again fails with
 * `SourceError`.
 * @example
 * ```ts
 * import { rows } from "millrace"
 *
 * const people = rows([{ id: 1, name: "Ada" }], { table: "people", key: "id" })
 * const numbers = rows(
 *   function* () {
 *     for (let n = 0; n < 10; n++) yield { n, square: n * n }
 *   },
 *   { table: "squares", columns: { n: "BIGINT NOT NULL", square: "BIGINT" } }
 * )
 * console.log(people.tables[0].name, numbers.tables[0].name) // "people" "squares"
 * ```
 */
export function rows(from: Iterable<object> | (() => Iterable<object>), options: RowsOptions): Source.Reader<never>
export function rows(
  from: AsyncIterable<object> | (() => AsyncIterable<object>),
  options: RowsOptions & { readonly columns: Columns }
): Source.Reader<never>
export function rows(
  from: AsyncIterable<object> | (() => AsyncIterable<object>),
  options: RowsOptions
): Promise<Source.Reader<never>>
export function rows(
  from: RowIterable | (() => RowIterable),
  options: RowsOptions
): Source.Reader<never> | Promise<Source.Reader<never>> {
  refuseName(options.table)
  if (options.columns !== undefined) return readerOf(feedOf(from), options, columnsOf(options.columns))
  if (isArray(from)) return readerOf(() => from, options, inferColumns(from))
  const again = feedOf(from)
  const reading = read(again())
  const reader = ({ columns, feed }: Reading) => readerOf(firstThen(feed, again), options, columns)
  return reading instanceof Promise ? reading.then(reader) : reader(reading)
}

/** What is iterated, each time that it is read. */
type Feed = () => RowIterable

const readerOf = (feed: Feed, options: RowsOptions, columns: ReadonlyArray<Column.Column>): Source.Reader<never> => {
  const { description = "rows of a program", key = [], table: name } = options
  const keys = typeof key === "string" ? [key] : key
  const unknown = keys.find((one) => !columns.some(({ name }) => name === one))
  if (unknown !== undefined) {
    throw new TypeError(
      `table ${name} has no column ${unknown} for its key; columns: ${columns.map(({ name }) => name).join(", ")}`
    )
  }
  if (columns.length === 0) {
    throw new TypeError(`no columns are known of table ${name}: it has no rows; give \`columns\``)
  }
  return source(feed, rowTable({ name, description, key: keys, columns })).with({ rows: randomUUID() })
}

/** The id makes a run of other rows another run. */
const source = (feed: Feed, made: RowTable) => {
  const decode = decodeRows(made)
  return Source.make({
    type: "rows",
    description: "rows of a program",
    options: Schema.Struct({ rows: Schema.String }),
    state: Schema.Null,
    cursor: RowsRead,
    incremental: false,
    standsAlone: true,
    tables: () => [made.table],
    fetch: (_, from) => fetchRows("rows", made, from, feed),
    decode: (_, answer) => Effect.succeed(decode(answer))
  })
}

const refuseName = (name: string): void => {
  if (!Schema.is(KeySchemas.tableName)(name)) {
    throw new TypeError(
      `${JSON.stringify(name)} cannot be the name of a table; use lower-case letters, digits and underscores`
    )
  }
}

const feedOf = (from: RowIterable | (() => RowIterable)): Feed => {
  if (typeof from === "function") return from
  if (!isIterator(from)) return () => from
  let isRead = false
  return () => {
    if (isRead) throw readTwice()
    isRead = true
    return from
  }
}

/** Whether it is its own iterator, as generators are: then it is read once. */
const isIterator = (from: RowIterable): boolean =>
  Object.is(from, isAsync(from) ? from[Symbol.asyncIterator]() : from[Symbol.iterator]())

const isArray = (from: RowIterable | (() => RowIterable)): from is ReadonlyArray<unknown> & Iterable<unknown> =>
  Array.isArray(from)

const isAsync = (from: RowIterable): from is AsyncIterable<unknown> => Symbol.asyncIterator in from

/** The first reading of rows, which has shown their columns. */
interface Reading {
  readonly columns: ReadonlyArray<Column.Column>
  /** The rows, once. */
  readonly feed: Feed
}

const read = (from: RowIterable): Reading | Promise<Reading> => {
  const { add, columns } = inference()
  const spool = RowSpool.empty()
  const take = (row: unknown) => {
    add(row)
    spool.add(row)
  }
  const known = (rest: Feed): Reading => ({
    columns: columns(rest === none),
    feed: () => joined(spool.take(), rest)
  })
  /** What went wrong belongs to the run, after the rows that came before it; without any row there is no run. */
  const failed = (cause: unknown): Reading => {
    if (columns().length === 0) throw cause
    return known(() => {
      throw cause
    })
  }
  if (isAsync(from)) return readAsync(from, take).then(() => known(none), failed)
  const iterator = from[Symbol.iterator]()
  try {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
      // It cannot be waited for here, so the columns are those of the rows before it.
      if (next.value instanceof Promise)
        return known(() => joined([next.value], () => ({ [Symbol.iterator]: () => iterator })))
      take(next.value)
    }
    return known(none)
  } catch (cause) {
    return failed(cause)
  }
}

const readAsync = async (from: AsyncIterable<unknown>, take: (row: unknown) => void): Promise<void> => {
  for await (const row of from) take(row)
}

const none: Feed = () => []

async function* joined(rows: Iterable<unknown>, rest: Feed): AsyncGenerator<unknown> {
  yield* rows
  yield* rest()
}

/** The rows of the first reading; whoever reads after it reads anew. */
const firstThen = (first: Feed, again: Feed): Feed => {
  let isFirst = true
  return () => {
    const feed = isFirst ? first : again
    isFirst = false
    return feed()
  }
}

const readTwice = () =>
  new Source.SourceError({
    source: "rows",
    message: "these rows can be read once, and were read; give `rows` an array, or a function that makes the iterator",
    retryable: false,
    over: true
  })
