/** A database that is opened by its first statement, so that the driver is loaded only when it is needed. */
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Database from "./Duckdb.ts"

export const openLazily = Effect.fnUntraced(function* (
  settings: Database.Settings
): Effect.fn.Return<Database.Database, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const opened = yield* Effect.cached(
    Effect.uninterruptible(Effect.provideService(Database.open(settings), Scope.Scope, scope)).pipe(
      Effect.mapError(
        ({ cause, message }) =>
          new Database.DatabaseError({ message: `cannot start DuckDB: ${message}`, cause: cause ?? message })
      )
    )
  )
  const use = <A, E, R>(ask: (database: Database.Database) => Effect.Effect<A, E, R>) => Effect.flatMap(opened, ask)
  return {
    run: (sql, values) => use((database) => database.run(sql, values)),
    query: (sql, columns, values) => use((database) => database.query(sql, columns, values)),
    countStatements: (sql) => use((database) => database.countStatements(sql)),
    values: (sql) => use((database) => database.values(sql)),
    rows: (sql, columns) => Stream.unwrap(Effect.map(opened, (database) => database.rows(sql, columns))),
    sizedRows: (sized, columns) => Stream.unwrap(Effect.map(opened, (database) => database.sizedRows(sized, columns))),
    withRaisedMemoryLimit: (statements) => use((database) => database.withRaisedMemoryLimit(statements)),
    raiseMemoryLimit: use((database) => database.raiseMemoryLimit),
    lowerMemoryLimit: Effect.ignore(use((database) => database.lowerMemoryLimit)),
    withHighestMemoryLimit: (statements) => use((database) => database.withHighestMemoryLimit(statements)),
    retryWithMoreMemory: (statements) => use((database) => database.retryWithMoreMemory(statements)),
    makeRoom: (columns) => use((database) => database.makeRoom(columns)),
    feed: (columns) => use((database) => database.feed(columns))
  }
})
