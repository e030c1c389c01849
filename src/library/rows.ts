/**
 * Anything that can be iterated as a source: `rows([{ id: 1 }], { table: "people" })`.
 *
 * Guarantee: what is iterated belongs to this process. A run that dies while it reads is not continued by another process:
 * the next run reads its own rows from the beginning. What had been read whole is finished from the journal.
 */
import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as KeySchemas from "#engine/KeySchemas"
import * as Source from "#engine/Source"
import { type Columns, columnsOf } from "./columns.ts"
import { type Inferred, inferColumns } from "./rows/inferColumns.ts"
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
  /** Names and SQL types; default: inferred from an array as a whole, of anything else from its first 1,000 rows. */
  readonly columns?: Columns
  /** What one row is, in a sentence. */
  readonly description?: string
}

/** So many rows are looked at where not all are there at once. */
const looked = 1000

/**
 * A source of these rows. A function is called each time that the rows are read; an iterator is read once.
 *
 * With an async iterable whose columns are not given, the answer is a promise, which `run` takes as well: its first
 * rows must come before its columns are known. It throws `TypeError` if the name cannot be the name of a table, if the
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
  const feed = feedOf(from)
  if (options.columns !== undefined) {
    const columns = columnsOf(options.columns).map((column): Inferred => ({ from: column.name, column }))
    return readerOf(feed, options, columns)
  }
  if (Array.isArray(from)) return readerOf(feed, options, inferColumns(from))
  const head = feed.head()
  return head instanceof Promise
    ? head.then((some) => readerOf(feed, options, inferColumns(some)))
    : readerOf(feed, options, inferColumns(head))
}

const readerOf = (feed: Feed, options: RowsOptions, columns: ReadonlyArray<Inferred>): Source.Reader<never> => {
  const { description = "rows of a program", key = [], table: name } = options
  const keys = typeof key === "string" ? [key] : key
  const unknown = keys.find((one) => !columns.some(({ column }) => column.name === one))
  if (unknown !== undefined) {
    throw new TypeError(
      `table ${name} has no column ${unknown} for its key; columns: ${columns.map(({ column }) => column.name).join(", ")}`
    )
  }
  if (columns.length === 0) {
    throw new TypeError(`no columns are known of table ${name}: it has no rows; give \`columns\``)
  }
  return source(feed, rowTable({ name, description, key: keys }, columns)).with({ rows: randomUUID() })
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
    fetch: (_, from) => fetchRows("rows", made, from, () => feed.all()),
    decode: (_, answer) => Effect.succeed(decode(answer))
  })
}

const refuseName = (name: string): void => {
  if (!Schema.is(KeySchemas.tableName)(name)) {
    throw new TypeError(`${JSON.stringify(name)} cannot be the name of a table; use letters, digits and underscores`)
  }
}

/** What is iterated: its first rows, and all of them. */
interface Feed {
  readonly head: () => ReadonlyArray<unknown> | Promise<ReadonlyArray<unknown>>
  readonly all: () => RowIterable
}

const feedOf = (from: RowIterable | (() => RowIterable)): Feed => {
  if (typeof from === "function") return { head: () => headOf(from()), all: from }
  if (!isAsync(from) && !isIterator(from)) return { head: () => headOf(from), all: () => from }
  return onceOf(from)
}

/** Whether it is its own iterator, as generators are: then it is read once. */
const isIterator = (from: Iterable<unknown>): boolean => Object.is(from[Symbol.iterator](), from)

const isAsync = (from: RowIterable): from is AsyncIterable<unknown> => Symbol.asyncIterator in from

const headOf = (from: RowIterable): ReadonlyArray<unknown> | Promise<ReadonlyArray<unknown>> => {
  if (isAsync(from)) return asyncHead(from)
  const head: Array<unknown> = []
  for (const row of from) if (head.push(row) >= looked) break
  return head
}

const asyncHead = async (from: AsyncIterable<unknown>): Promise<ReadonlyArray<unknown>> => {
  const head: Array<unknown> = []
  for await (const row of from) if (head.push(row) >= looked) break
  return head
}

/** What can be read once: its first rows are kept for the reading. */
const onceOf = (from: RowIterable): Feed => {
  const iterator = isAsync(from) ? from[Symbol.asyncIterator]() : from[Symbol.iterator]()
  const rest: RowIterable = isAsync(from)
    ? // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was made by the async branch above
      { [Symbol.asyncIterator]: () => iterator as AsyncIterator<unknown> }
    : // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was made by the branch of plain iterators
      { [Symbol.iterator]: () => iterator as Iterator<unknown> }
  let firstRows: ReadonlyArray<unknown> = []
  let isRead = false
  const keep = (some: ReadonlyArray<unknown>) => (firstRows = some)
  return {
    head: () => {
      const head = isAsync(rest) ? pulledLater(rest) : pulled(rest)
      return head instanceof Promise ? head.then(keep) : keep(head)
    },
    all: () => {
      if (isRead) throw readTwice()
      isRead = true
      return joined(firstRows, rest)
    }
  }
}

async function* joined(firstRows: ReadonlyArray<unknown>, rest: RowIterable): AsyncGenerator<unknown> {
  yield* firstRows
  yield* rest
}

/** A loop that breaks would end the iterator. */
const pulled = (rest: Iterable<unknown>): ReadonlyArray<unknown> => {
  const iterator = rest[Symbol.iterator]()
  const head: Array<unknown> = []
  while (head.length < looked) {
    const next = iterator.next()
    if (next.done === true) break
    head.push(next.value)
  }
  return head
}

const pulledLater = async (rest: AsyncIterable<unknown>): Promise<ReadonlyArray<unknown>> => {
  const iterator = rest[Symbol.asyncIterator]()
  const head: Array<unknown> = []
  while (head.length < looked) {
    const next = await iterator.next()
    if (next.done === true) break
    head.push(next.value)
  }
  return head
}

const readTwice = () =>
  new Source.SourceError({
    source: "rows",
    message: "these rows can be read once, and were read; give `rows` an array, or a function that makes the iterator",
    retryable: false,
    over: true
  })
