/**
 * DuckDB as its connectors use it: one instance in memory, one connection, one statement at a time; and a second
 * connection, aside, which sets how much memory there is.
 *
 * A connection is never closed while a statement is running: an interrupted statement is stopped and waited for. The
 * driver is loaded when the first database opens, so a program without a database does not pay for it.
 */
import type { DuckDBValue } from "@duckdb/node-api"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Column from "../pipeline/Column.ts"
import type * as Table from "../pipeline/Table.ts"
import type { Driver } from "./Cell.ts"
import * as Cell from "./Cell.ts"
import { DatabaseError } from "./DatabaseError.ts"
import * as Feed from "./Feed.ts"
import * as MemoryLimit from "./MemoryLimit.ts"

export { DatabaseError } from "./DatabaseError.ts"

export interface Database {
  /** Runs a statement; the answer is how many rows it changed. */
  readonly run: (sql: string, values?: ReadonlyArray<string | bigint>) => Effect.Effect<number, DatabaseError>
  /** The rows of a query, their cells as `Column` has them. */
  readonly query: (
    sql: string,
    columns: ReadonlyArray<Column.Column>,
    values?: ReadonlyArray<string | bigint>
  ) => Effect.Effect<ReadonlyArray<Table.Row>, DatabaseError>
  /** The cells of a query as the driver has them, row by row. */
  readonly values: (sql: string) => Effect.Effect<ReadonlyArray<ReadonlyArray<DuckDBValue>>, DatabaseError>
  /** How many statements a text is. */
  readonly countStatements: (sql: string) => Effect.Effect<number, DatabaseError>
  /** The rows of a query, a chunk at a time, for answers that are larger than memory. No other statement runs meanwhile. */
  readonly rows: (
    sql: string,
    columns: ReadonlyArray<Column.Column>
  ) => Stream.Stream<ReadonlyArray<Table.Row>, DatabaseError>
  /**
   * Statements that join keys: all at once they may hold a quarter of the machine's memory before they spill. DuckDB
   * cannot spill all of what a join or a deletion needs for each of its keys, and fails where that is more than it may
   * hold.
   */
  readonly withRaisedMemoryLimit: <A, E, R>(
    statements: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | DatabaseError, R>
  /** The same with three quarters of the machine's memory: for what a quarter did not suffice for. */
  readonly withHighestMemoryLimit: <A, E, R>(
    statements: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | DatabaseError, R>
  /** Runs statements as they are, and once more, with the raised limit, if memory was short. Not within a transaction. */
  readonly retryWithMoreMemory: <A, R>(
    statements: Effect.Effect<A, DatabaseError, R>
  ) => Effect.Effect<A, DatabaseError, R>
  /** From now on, DuckDB may hold what statements need that read or write so many columns. */
  readonly makeRoom: (columns: number) => Effect.Effect<void, DatabaseError>
  /** A way for rows into statements, for as long as the database is open. */
  readonly feed: (columns: ReadonlyArray<Column.Column>) => Effect.Effect<Feed.Feed, DatabaseError>
}

export interface Settings {
  readonly threads: number
  /** What DuckDB may hold before it spills, as it writes sizes: "256MB". */
  readonly memory: string
  /** Where it spills. Made when needed. */
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

  /** The promise settles before the fiber goes on, whether the statement ended or was interrupted. */
  const settled = <A>(start: () => Promise<A>) =>
    Effect.callback<A, DatabaseError>((resume) => {
      const running = start()
      running.then(
        (answer) => resume(Effect.succeed(answer)),
        (cause: unknown) => resume(Effect.fail(DatabaseError.from(cause)))
      )
      return Effect.promise(() => {
        // DuckDB forgets an interruption that comes before the statement has begun, so it is asked until it ends.
        const asking = setInterval(() => connection.interrupt(), 5)
        return running.then(
          () => clearInterval(asking),
          () => clearInterval(asking)
        )
      })
    })

  const run = (sql: string, values: ReadonlyArray<string | bigint> = []) =>
    Effect.map(
      settled(() => connection.run(sql, [...values])),
      (result) => result.rowsChanged
    )

  const query = (sql: string, columns: ReadonlyArray<Column.Column>, values: ReadonlyArray<string | bigint> = []) =>
    Effect.map(
      settled(() => connection.runAndReadAll(sql, [...values])),
      (reader) => {
        const decoders = columns.map((column) => [column.name, Cell.decoder(driver, column.type)] as const)
        return reader
          .getRows()
          .map((values) => Object.fromEntries(decoders.map(([name, decode], at) => [name, decode(values[at] ?? null)])))
      }
    )

  const values = (sql: string) =>
    Effect.map(
      settled(() => connection.runAndReadAll(sql)),
      (reader) => reader.getRows()
    )

  const countStatements = (sql: string) =>
    Effect.map(
      attempt(() => connection.extractStatements(sql)),
      ({ count }) => count
    )

  const rows = (sql: string, columns: ReadonlyArray<Column.Column>) =>
    Stream.unwrap(
      Effect.map(
        settled(() => connection.stream(sql)),
        (result) => {
          const decoders = columns.map((column) => [column.name, Cell.decoder(driver, column.type)] as const)
          const next = Effect.map(
            settled(() => result.fetchChunk()),
            (chunk): readonly [ReadonlyArray<ReadonlyArray<Table.Row>>, Option.Option<void>] => {
              if (chunk === null || chunk.rowCount === 0) return [[], Option.none()]
              const read = chunk
                .getRows()
                .map((values) =>
                  Object.fromEntries(decoders.map(([name, decode], at) => [name, decode(values[at] ?? null)]))
                )
              return [[read], Option.some(undefined)]
            }
          )
          return Stream.paginate(undefined, () => next)
        }
      )
    )

  // Not in the transaction, which a refusal would abort.
  const { makeRoom, raised } = MemoryLimit.make(settings.memory, (memory) =>
    attempt(() => aside.run(`SET memory_limit = '${memory}'`))
  )
  const withRaisedMemoryLimit = raised(1)
  const retryWithMoreMemory = <A, R>(statements: Effect.Effect<A, DatabaseError, R>) =>
    Effect.catchIf(statements, MemoryLimit.isOutOfMemory, () => withRaisedMemoryLimit(statements))

  let feeds = 0
  const feed = (columns: ReadonlyArray<Column.Column>) =>
    Effect.andThen(
      makeRoom(MemoryLimit.widthOf(columns)),
      Effect.try({
        try: () => Feed.register(driver, connection, `rows_${++feeds}`, columns),
        catch: (cause) => DatabaseError.from(cause)
      })
    )

  return {
    run,
    query,
    values,
    countStatements,
    rows,
    makeRoom,
    withRaisedMemoryLimit,
    withHighestMemoryLimit: raised(2),
    retryWithMoreMemory,
    feed
  }
})

const connect = (driver: Driver, settings: Settings) =>
  attempt(async () => {
    const instance = await driver.DuckDBInstance.create(":memory:", {
      threads: String(settings.threads),
      memory_limit: settings.memory,
      temp_directory: settings.spill
    })
    const connection = await instance.connect()
    // Points in time are UTC, whatever zone this machine is in: a TIMESTAMP and a TIMESTAMPTZ of one instant are equal.
    await connection.run("SET TimeZone = 'UTC'")
    return { instance, connection, aside: await instance.connect() }
  })

const attempt = <A>(start: () => Promise<A>) =>
  Effect.tryPromise({ try: start, catch: (cause) => DatabaseError.from(cause) })

/** The first row of an answer, all numbers; what is null is left out of it. */
export const numbers = (
  database: Database,
  sql: string
): Effect.Effect<ReadonlyArray<number | undefined>, DatabaseError> =>
  Effect.map(database.values(sql), ([row = []]) => row.map((value) => (value === null ? undefined : Number(value))))

/** The first column of an answer, as texts. */
export const texts = (database: Database, sql: string): Effect.Effect<ReadonlyArray<string>, DatabaseError> =>
  Effect.map(database.values(sql), (rows) => rows.map(([value = null]) => String(value)))

/** A text as SQL writes it, whatever is in it: U+0000 would end the statement, so it is joined in. */
export const literal = (text: string): string => {
  const said = `'${text.replaceAll("'", "''")}'`
  return said.includes("\0") ? `(${said.replaceAll("\0", "' || chr(0) || '")})` : said
}

/** The condition that two rows have the same values in these columns, each under its name in its own table. */
export const sameValues = (
  ours: ReadonlyArray<string>,
  our: string,
  theirs: ReadonlyArray<string>,
  their: string
): string =>
  ours
    .map((column, at) => `${our}.${Column.quote(column)} = ${their}.${Column.quote(theirs[at] ?? column)}`)
    .join(" AND ")
