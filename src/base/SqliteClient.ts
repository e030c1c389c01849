/**
 * `effect/sql` over Node's own SQLite: the embedded store. No published adapter loads with this Effect.
 *
 * One process, and one connection that writes: a transaction holds it until it ends. What only reads, and is part of no
 * transaction, has a connection of its own and waits for nobody, as WAL allows: it sees all that is committed. A file only;
 * a database in memory has one connection for both. With synchronous NORMAL a killed process loses no committed transaction;
 * a power cut may lose the last ones, which a crawl fetches again.
 */

import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { classifySqliteError, SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import { makePrivate, sqlite } from "./SqliteFile.ts"
import * as SqliteRepair from "./SqliteRepair.ts"
import * as RowDigest from "./sqlite/RowDigest.ts"

/** The client on a file, or on ":memory:". Closed with the scope of the layer. */
export const layer = (filename: string, options: Options = {}): Layer.Layer<SqlClient.SqlClient, SqlError> =>
  Layer.effect(SqlClient.SqlClient, make(filename, options)).pipe(Layer.provide(Reactivity.layer))

interface Options {
  /** FULL: a transaction that is committed outlives a power cut too; default: NORMAL. */
  readonly synchronous?: "FULL" | "NORMAL"
  /** Whether a damaged file is repaired (`SqliteRepair.ts`), and only its owner can read a new one; default: it is refused. */
  readonly repairs?: boolean
}

const make = Effect.fnUntraced(function* (filename: string, { repairs = false, synchronous = "NORMAL" }: Options) {
  const database = yield* Effect.acquireRelease(
    attempt("open", () => open(filename, synchronous, repairs)),
    (database) => Effect.sync(() => database.close())
  )
  const connection = makeConnection(database)
  const semaphore = yield* Semaphore.make(1)
  const reader =
    filename === ":memory:"
      ? undefined
      : yield* Effect.acquireRelease(
          attempt("open", () => new (sqlite().DatabaseSync)(filename, { readOnly: true, timeout: busyMillis })),
          (database) => Effect.sync(() => database.close())
        )
  const outside = outsideTransactions(
    connection,
    semaphore.withPermits(1),
    reader === undefined ? undefined : makeConnection(reader)
  )
  return yield* SqlClient.make({
    acquirer: Effect.succeed(outside),
    borrower: (use) => use(outside),
    transactionAcquirer: Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const scope = yield* Effect.scope
        yield* restore(semaphore.take(1))
        yield* Scope.addFinalizer(scope, semaphore.release(1))
        return connection
      })
    ),
    compiler: Statement.makeCompilerSqlite(),
    driver: "node-sqlite",
    spanAttributes: [["db.system.name", "sqlite"]]
  })
})

const open = (filename: string, synchronous: "FULL" | "NORMAL", repairs: boolean): DatabaseSync => {
  const isFile = filename !== ":memory:"
  if (repairs && isFile) {
    SqliteRepair.repair(filename)
    makePrivate(filename)
  }
  const database = new (sqlite().DatabaseSync)(filename)
  database.exec(`PRAGMA busy_timeout = ${busyMillis}`)
  // Before anything is written: the damage may be in the first page.
  const damage = repairs || !isFile ? undefined : SqliteRepair.faultOf(database, filename)
  if (damage !== undefined) {
    database.close()
    throw SqliteRepair.refused(filename, damage)
  }
  RowDigest.define(database)
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`)
  // A page of the file that many transactions write is copied back, and made durable, once for all of them.
  database.exec("PRAGMA wal_autocheckpoint = 4000")
  // What is written over is gone, as the headers of jobs that have ended; it costs nothing within a page.
  database.exec("PRAGMA secure_delete = FAST")
  return database
}

const busyMillis = 5000

/** The connection of a statement that is part of no transaction: it waits for its turn unless it only reads. */
const outsideTransactions = (
  writer: Connection,
  inTurn: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>,
  reader: Connection | undefined
): Connection => {
  const onOne = <A, E>(sql: string, run: (connection: Connection) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
    reader !== undefined && onlyReads.test(sql) ? run(reader) : inTurn(run(writer))
  return {
    execute: (sql, params, transform) => onOne(sql, (one) => one.execute(sql, params, transform)),
    executeUnprepared: (sql, params, transform) => onOne(sql, (one) => one.executeUnprepared(sql, params, transform)),
    executeRaw: (sql, params) => onOne(sql, (one) => one.executeRaw(sql, params)),
    executeValues: (sql, params) => onOne(sql, (one) => one.executeValues(sql, params)),
    executeValuesUnprepared: (sql, params) => onOne(sql, (one) => one.executeValuesUnprepared(sql, params)),
    executeStream: (sql, params, transform) => writer.executeStream(sql, params, transform)
  }
}

/** What begins with another word may write. */
const onlyReads = /^\s*SELECT\b/i

interface Prepared {
  readonly statement: StatementSync
  /** Whether it gives rows: to ask takes as long as a small statement. */
  readonly hasRows: boolean
}

const makeConnection = (database: DatabaseSync): Connection => {
  const prepared = new Map<string, Prepared>()
  const prepare = (sql: string): Prepared => {
    const known = prepared.get(sql)
    if (known !== undefined) return known
    if (prepared.size >= 200) prepared.clear()
    const statement = database.prepare(sql)
    const made = { statement, hasRows: statement.columns().length > 0 }
    prepared.set(sql, made)
    return made
  }

  const run = (sql: string, params: ReadonlyArray<unknown>, raw: boolean) =>
    Effect.withFiber<ReadonlyArray<Record<string, unknown>>, SqlError>((fiber) =>
      attempt("execute", () => {
        const { hasRows, statement } = prepare(sql)
        statement.setReadBigInts(Context.get(fiber.context, SqlClient.SafeIntegers))
        if (hasRows) return statement.all(...inputs(params))
        const { changes, lastInsertRowid } = statement.run(...inputs(params))
        return raw ? [{ changes, lastInsertRowid }] : []
      })
    )
  const values = (sql: string, params: ReadonlyArray<unknown>) =>
    Effect.map(run(sql, params, false), (rows) => rows.map((row) => Object.values(row)))

  return {
    execute: (sql, params, transform) => {
      const rows = run(sql, params, false)
      return transform === undefined ? rows : Effect.map(rows, transform)
    },
    executeUnprepared: (sql, params, transform) => {
      const rows = run(sql, params, false)
      return transform === undefined ? rows : Effect.map(rows, transform)
    },
    executeRaw: (sql, params) => Effect.map(run(sql, params, true), (rows) => rows[0] ?? {}),
    executeValues: values,
    executeValuesUnprepared: values,
    executeStream: (sql, params, transform) =>
      Stream.unwrap(
        Effect.map(run(sql, params, false), (rows) =>
          Stream.fromIterable(transform === undefined ? rows : transform(rows))
        )
      )
  }
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the statement compiler gives only what SQLite takes
const inputs = (params: ReadonlyArray<unknown>): Array<SQLInputValue> => params as Array<SQLInputValue>

const attempt = <A>(operation: string, run: () => A): Effect.Effect<A, SqlError> =>
  Effect.try({
    try: run,
    catch: (cause) => {
      const coded =
        cause instanceof Error && "errcode" in cause ? Object.assign(cause, { errno: cause.errcode }) : cause
      const message = `sqlite cannot ${operation}: ${cause instanceof Error ? cause.message : String(cause)}`
      return new SqlError({ reason: classifySqliteError(coded, { message, operation }) })
    }
  })
