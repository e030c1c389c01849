/** The Postgres sink: the planner, with the dialect of Postgres, COPY, and a session that is known to be able to write. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Column from "#engine/Column"
import type * as Sink from "#engine/Sink"
import type { SqlPort, Staging, StagingTable } from "#engine/SqlPort"
import { portSink } from "#engine/sqlSink"
import { functions } from "./cast.ts"
import * as CopyBuffer from "./copy/CopyBuffer.ts"
import * as DatabaseLocation from "./DatabaseLocation.ts"
import { dialectIn } from "./dialect.ts"
import { bare, failure, type ServerError } from "./failure.ts"
import { keyIndex } from "./keyIndex.ts"
import { Options } from "./options.ts"
import { queries } from "./queries.ts"
import * as Connection from "./server/Connection.ts"
import * as privileges from "./server/privileges.ts"
import * as WriterLock from "./server/WriterLock.ts"
import { streamTexts } from "./streamRows.ts"

/** Opens the database for a run: the user has the rights that a commit needs, and is the only writer of the schema. */
const open = Effect.fnUntraced(function* (
  options: Options,
  plan: Sink.Plan
): Effect.fn.Return<SqlPort, Sink.SinkError, Scope.Scope> {
  const place = yield* placeOf(options)
  return yield* Effect.gen(function* () {
    const connection = yield* Connection.open(place)
    yield* WriterLock.checkServer(connection, place)
    yield* privileges.check(connection, place, plan)
    const taken = yield* WriterLock.takeSession(connection, place)
    yield* WriterLock.acquire(connection, place)
    yield* connection.run([moreMemory, ...functions].join(";\n"))
    return {
      ...portOf(connection, place, taken.token, bare),
      staging: (table) => Effect.sync(() => copying(connection, table)),
      transaction: {
        begin: Effect.mapError(begin(connection, place, taken), bare),
        commit: Effect.mapError(connection.commit, bare),
        // The end of the session undoes it, also where the server is silent.
        rollback: Effect.void
      },
      keyIndex: keyIndex(connection, place)
    } satisfies SqlPort
  }).pipe(Effect.mapError(failure(`cannot write ${place.location}`)))
})

/** Queries with many keys are quadratic where their hashes do not fit. */
const moreMemory =
  "SELECT set_config('work_mem', greatest(pg_size_bytes(current_setting('work_mem')) / 1024, 65536) || 'kB', false)"

/** Opens it for reading, in one transaction, so that everything is read as of one moment. */
const look = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<SqlPort, Sink.SinkError, Scope.Scope> {
  const place = yield* placeOf(options)
  const failed = failure(`cannot read ${place.location}`)
  const connection = yield* Effect.mapError(Connection.open(place), failed)
  yield* Effect.mapError(
    connection.run(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${Connection.transactionSettings}`),
    failed
  )
  return {
    ...portOf(connection, place, "", failed),
    each: (sql, use) => Stream.runForEach(Stream.mapError(streamTexts(connection, sql), failed), use)
  }
})

const placeOf = (options: Options) => {
  const place = DatabaseLocation.of(options)
  const fault = DatabaseLocation.faultOf(place)
  return fault === undefined ? Effect.succeed(place) : Effect.fail(failure(fault)())
}

const portOf = (
  connection: Connection.Connection,
  place: DatabaseLocation.DatabaseLocation,
  token: string,
  failed: (error: ServerError) => Sink.SinkError
): SqlPort => ({
  dialect: dialectIn(place, token),
  location: place.location,
  run: (sql) => Effect.mapError(connection.run(sql), failed),
  rows: (sql) => Effect.mapBoth(connection.answer(sql), { onFailure: failed, onSuccess: ({ rows }) => rows })
})

const begin = Effect.fnUntraced(function* (
  connection: Connection.Connection,
  place: DatabaseLocation.DatabaseLocation,
  taken: WriterLock.Session
): Effect.fn.Return<void, ServerError | Sink.SinkError> {
  yield* connection.run("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
  yield* WriterLock.checkSession(connection, taken)
  const [there] = yield* connection.rows("SELECT 1 AS one FROM pg_namespace WHERE nspname = $1", [place.schema])
  // A user without the right to create schemas may still write into an existing one.
  if (there === undefined) yield* connection.run(`CREATE SCHEMA IF NOT EXISTS ${DatabaseLocation.schemaOf(place)}`)
})

/** Rows are copied when they have this many bytes. Larger pieces are not faster, and need more memory. */
const pieceBytes = 4_000_000

/** Copies rows into a temporary table, in pieces of some megabytes. */
const copying = (connection: Connection.Connection, table: StagingTable): Staging => {
  const buffer = CopyBuffer.of(table)
  const names = [
    ...(table.number === undefined ? [] : [table.number]),
    ...table.columns.map(({ name }) => Column.quote(name))
  ].join(", ")
  const copy = `COPY ${table.into} (${names}) FROM STDIN (FORMAT binary)`
  const flush = Effect.suspend(() =>
    buffer.rows === 0 ? Effect.void : Effect.mapError(connection.copy(copy, buffer.take()), bare)
  )
  return {
    flush,
    add: Effect.fnUntraced(function* (rows, first) {
      for (let at = 0; at < rows.length; ) {
        const from = at
        at = yield* Effect.try({
          try: () => addUntilFull(buffer, rows, from, first),
          catch: failure(`table ${table.table}`)
        })
        if (buffer.bytes >= pieceBytes) yield* flush
      }
    })
  }
}

/** Adds rows until the buffer is full, and returns the position of the first row that was not added. */
const addUntilFull = (
  buffer: CopyBuffer.CopyBuffer,
  rows: Parameters<Staging["add"]>[0],
  from: number,
  first: number
): number => {
  let at = from
  for (; at < rows.length && buffer.bytes < pieceBytes; at++) {
    const row = rows[at]
    if (row !== undefined) buffer.add(row, first + at)
  }
  return at
}

/**
 * The sink of `type: postgres`: rows into tables of a Postgres database, by COPY. A commit is one transaction.
 *
 * @example
 * ```ts
 * import * as Redacted from "effect/Redacted"
 * import { rows, run } from "millrace"
 * import { postgres } from "millrace/connectors/postgres"
 *
 * const url = Redacted.make("postgres://localhost/warehouse")
 * await run({ source: rows([{ id: 1 }], { table: "numbers" }), sinks: { db: postgres.with({ url, schema: "web" }) } })
 * ```
 */
export const postgres = portSink<Options, typeof Options.Encoded>({
  type: "postgres",
  description: "tables of a Postgres database, each commit one transaction",
  options: Options,
  open,
  look,
  queries,
  readers: ({ schema = "public", url }) => ({ _tag: "Postgres", url: DatabaseLocation.withoutPassword(url), schema })
})
