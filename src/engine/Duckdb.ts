/**
 * DuckDB for connectors: one instance in memory, and one connection with one statement at a time. A second connection,
 * `aside`, only changes the memory limit.
 *
 * A connection is never closed while it is used, even to parse, as that ends the process: what is interrupted is awaited. The
 * driver is loaded when the first database opens, so programs without a database do not load it.
 */
import type { DuckDBConnection, DuckDBDataChunk, DuckDBValue } from "@duckdb/node-api"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Column from "./Column.ts"
import type { Driver } from "./DuckdbCell.ts"
import * as Cell from "./DuckdbCell.ts"
import { DatabaseError } from "./DuckdbError.ts"
import * as Feed from "./DuckdbFeed.ts"
import * as MemoryLimit from "./DuckdbMemoryLimit.ts"
import type * as Table from "./Table.ts"

export { DatabaseError } from "./DuckdbError.ts"

export interface Database {
  /** Runs a statement, and returns how many rows it changed. */
  readonly run: (sql: string, values?: ReadonlyArray<string | bigint>) => Effect.Effect<number, DatabaseError>
  /** The rows of a query, with cells as `Column` defines them. */
  readonly query: (
    sql: string,
    columns: ReadonlyArray<Column.Column>,
    values?: ReadonlyArray<string | bigint>
  ) => Effect.Effect<ReadonlyArray<Table.Row>, DatabaseError>
  /** The rows of a query, with the driver's values. */
  readonly values: (sql: string) => Effect.Effect<ReadonlyArray<ReadonlyArray<DuckDBValue>>, DatabaseError>
  /** The number of statements in a text. */
  readonly countStatements: (sql: string) => Effect.Effect<number, DatabaseError>
  /** The rows of a query in chunks, for results larger than memory. No other statement may run meanwhile. */
  readonly rows: (
    sql: string,
    columns: ReadonlyArray<Column.Column>
  ) => Stream.Stream<ReadonlyArray<Table.Row>, DatabaseError>
  /**
   * The same for a query that a user wrote, whose rows may have any size. `sized`: the query with one column more, the bytes of
   * the row. Rows become values of this process in parts of about 64 MB, and a row of more than 256 MB is refused.
   */
  readonly sizedRows: (
    sized: string,
    columns: ReadonlyArray<Column.Column>
  ) => Stream.Stream<ReadonlyArray<Table.Row>, DatabaseError>
  /**
   * Runs statements with a limit of a quarter of the machine's memory, for joins by key. DuckDB cannot spill everything that
   * a join or a deletion needs for its keys, and fails if that is more than its limit.
   */
  readonly withRaisedMemoryLimit: <A, E, R>(
    statements: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | DatabaseError, R>
  /**
   * Raises the limit until `lowerMemoryLimit`, for rows that a transaction holds until its COMMIT: a lower limit before it would
   * write them to disk.
   */
  readonly raiseMemoryLimit: Effect.Effect<void, DatabaseError>
  readonly lowerMemoryLimit: Effect.Effect<void>
  /** Runs statements with a limit of three quarters of the machine's memory, if a quarter was not enough. */
  readonly withHighestMemoryLimit: <A, E, R>(
    statements: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | DatabaseError, R>
  /** Runs statements, and runs them again with the raised limit if memory was short. Not for use in a transaction. */
  readonly retryWithMoreMemory: <A, R>(
    statements: Effect.Effect<A, DatabaseError, R>
  ) => Effect.Effect<A, DatabaseError, R>
  /** Raises the ordinary limit, until the database closes, for statements that read or write this many columns. */
  readonly makeRoom: (columns: number) => Effect.Effect<void, DatabaseError>
  /** A table function through which statements read rows of this process. */
  readonly feed: (columns: ReadonlyArray<Column.Column>, number?: string) => Effect.Effect<Feed.Feed, DatabaseError>
}

export interface Settings {
  readonly threads: number
  /** The memory limit of DuckDB before it spills to disk: "256MB". */
  readonly memory: string
  /** The folder to which it spills. It is created when needed. */
  readonly spill: string
}

/** Opens a database in memory; other files are attached to it. */
export const open = Effect.fn("duckdb.open")(function* (
  settings: Settings
): Effect.fn.Return<Database, DatabaseError, Scope.Scope> {
  const driver = yield* attempt(() => import("@duckdb/node-api"))
  const { aside, connection } = yield* Effect.acquireRelease(
    connect(driver, settings),
    ({ aside, connection, instance }) =>
      Effect.sync(() => {
        connection.closeSync()
        aside.closeSync()
        instance.closeSync()
      })
  )

  // On the other connection: an error here would abort the transaction of the first.
  const { raised, ...limit } = MemoryLimit.of(settings.memory, (memory) =>
    settledOn(aside)(() => aside.run(`SET memory_limit = '${memory}'`))
  )
  const withRaisedMemoryLimit = raised(1)
  const retryWithMoreMemory = <A, R>(statements: Effect.Effect<A, DatabaseError, R>) =>
    Effect.catchIf(statements, MemoryLimit.isOutOfMemory, () => withRaisedMemoryLimit(statements))

  let feeds = 0
  const feed = (columns: ReadonlyArray<Column.Column>, number?: string) =>
    Effect.andThen(
      limit.makeRoom(MemoryLimit.widthOf(columns)),
      Effect.try({
        try: () => Feed.register(driver, connection, `rows_${++feeds}`, columns, number),
        catch: (cause) => DatabaseError.from(cause)
      })
    )

  const withHighestMemoryLimit = raised(2)
  const limits = { ...limit, withRaisedMemoryLimit, withHighestMemoryLimit, retryWithMoreMemory }
  return { ...statementsOn(connection, driver), feed, ...limits }
})

const statementsOn = (connection: DuckDBConnection, driver: Driver) => {
  const settled = settledOn(connection)

  const run = (sql: string, values: ReadonlyArray<string | bigint> = []) =>
    Effect.map(
      settled(() => connection.run(sql, [...values])),
      (result) => result.rowsChanged
    )

  const query = (sql: string, columns: ReadonlyArray<Column.Column>, values: ReadonlyArray<string | bigint> = []) =>
    Effect.map(
      settled(() => connection.runAndReadAll(sql, [...values])),
      (reader) => decoderOf(driver, columns)(reader.getRows())
    )

  const values = (sql: string) =>
    Effect.map(
      settled(() => connection.runAndReadAll(sql)),
      (reader) => reader.getRows()
    )

  const countStatements = (sql: string) =>
    Effect.map(
      settled(() => connection.extractStatements(sql)),
      ({ count }) => count
    )

  const chunks = (sql: string) =>
    Stream.unwrap(
      Effect.map(
        settled(() => connection.stream(sql)),
        (result) => {
          const next = Effect.map(
            settled(() => result.fetchChunk()),
            (chunk): readonly [ReadonlyArray<DuckDBDataChunk>, Option.Option<void>] =>
              chunk === null || chunk.rowCount === 0 ? [[], Option.none()] : [[chunk], Option.some(undefined)]
          )
          return Stream.paginate(undefined, () => next)
        }
      )
    )

  const rows = (sql: string, columns: ReadonlyArray<Column.Column>) => {
    const decode = decoderOf(driver, columns)
    return Stream.map(chunks(sql), (chunk) => decode(chunk.getRows()))
  }

  const sizedRows = (sized: string, columns: ReadonlyArray<Column.Column>) => {
    const decode = decoderOf(driver, columns)
    return Stream.flatMap(chunks(sized), (chunk) =>
      Stream.mapEffect(Stream.fromIterable(partsOf(chunk, columns.length), { chunkSize: 1 }), (part) =>
        part.bytes > mostRowBytes
          ? Effect.fail(
              new DatabaseError({
                message: `a row of the answer has ${part.bytes} bytes, and at most ${mostRowBytes} are read: ask for less of it, such as left(column, 1000)`
              })
            )
          : Effect.sync(() => decode(rowsIn(chunk, part)))
      )
    )
  }

  return { run, query, values, countStatements, rows, sizedRows }
}

/** Rows of a chunk that become values together. */
interface Part {
  readonly from: number
  readonly to: number
  readonly bytes: number
}

const mostRowBytes = 256 * 1024 * 1024
const mostPartBytes = 64 * 1024 * 1024

/** `column`: the one with the bytes of each row. */
function* partsOf(chunk: DuckDBDataChunk, column: number): Generator<Part> {
  let [from, bytes] = [0, 0]
  for (const [at, value] of chunk.getColumnValues(column).entries()) {
    const size = Number(value)
    if (at > from && bytes + size > mostPartBytes) {
      yield { from, to: at, bytes }
      ;[from, bytes] = [at, 0]
    }
    bytes += size
  }
  yield { from, to: chunk.rowCount, bytes }
}

const rowsIn = (chunk: DuckDBDataChunk, { from, to }: Part) =>
  Array.from({ length: to - from }, (_, at) => chunk.getRowValues(from + at))

/** Waits until the promise settles, even if the fiber is interrupted. */
const settledOn =
  (connection: DuckDBConnection) =>
  <A>(start: () => Promise<A>) =>
    Effect.callback<A, DatabaseError>((resume) => {
      const running = start()
      running.then(
        (answer) => resume(Effect.succeed(answer)),
        (cause: unknown) => resume(Effect.fail(DatabaseError.from(cause)))
      )
      return Effect.promise(() => {
        // DuckDB ignores an interruption before the statement has begun, so it is repeated until the statement ends.
        const asking = setInterval(() => connection.interrupt(), 5)
        return running.then(
          () => clearInterval(asking),
          () => clearInterval(asking)
        )
      })
    })

/** Makes rows of the driver's values. */
const decoderOf = (driver: Driver, columns: ReadonlyArray<Column.Column>) => {
  const decoders = columns.map((column) => [column.name, Cell.decoder(driver, column.type)] as const)
  return (rows: ReadonlyArray<ReadonlyArray<DuckDBValue>>): ReadonlyArray<Table.Row> =>
    rows.map((values) => Object.fromEntries(decoders.map(([name, decode], at) => [name, decode(values[at] ?? null)])))
}

const connect = (driver: Driver, settings: Settings) =>
  attempt(async () => {
    const instance = await driver.DuckDBInstance.create(":memory:", {
      threads: String(settings.threads),
      memory_limit: settings.memory,
      temp_directory: settings.spill
    })
    const connection = await instance.connect()
    // Points in time are UTC, whatever the time zone of this machine, so TIMESTAMP and TIMESTAMPTZ can be compared.
    await connection.run("SET TimeZone = 'UTC'")
    return { instance, connection, aside: await instance.connect() }
  })

const attempt = <A>(start: () => Promise<A>) =>
  Effect.tryPromise({ try: start, catch: (cause) => DatabaseError.from(cause) })

/** The first row of a result, as numbers; null becomes undefined. */
export const numbers = (
  database: Database,
  sql: string
): Effect.Effect<ReadonlyArray<number | undefined>, DatabaseError> =>
  Effect.map(database.values(sql), ([row = []]) => row.map((value) => (value === null ? undefined : Number(value))))

/** The first column of a result, as texts. */
export const texts = (database: Database, sql: string): Effect.Effect<ReadonlyArray<string>, DatabaseError> =>
  Effect.map(database.values(sql), (rows) => rows.map(([value = null]) => String(value)))

/** A text as an SQL literal. U+0000 would end the statement, so it is added with chr(0). */
export const literal = (text: string): string => {
  const quoted = `'${text.replaceAll("'", "''")}'`
  return quoted.includes("\0") ? `(${quoted.replaceAll("\0", "' || chr(0) || '")})` : quoted
}

/** The condition that two rows have equal values in these columns, by the names of each table. */
export const sameValues = (
  ours: ReadonlyArray<string>,
  our: string,
  theirs: ReadonlyArray<string>,
  their: string
): string =>
  ours
    .map((column, at) => `${our}.${Column.quote(column)} = ${their}.${Column.quote(theirs[at] ?? column)}`)
    .join(" AND ")
