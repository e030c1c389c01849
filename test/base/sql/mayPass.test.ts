import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { expect } from "vitest"
import { mayPass } from "#base/mayPass"
import { client } from "#base/sqlClient"
import { onPostgres } from "../../service/databases.ts"

onPostgres("an error of the database", (database) => {
  /** What a transaction fails with whose session the server ends in this way, while it asks nothing. */
  const ended = (how: (pid: number, sql: SqlClient.SqlClient) => Effect.Effect<unknown, SqlError>) =>
    Effect.gen(function* () {
      const place = yield* database.fresh
      const alone = <A, E>(use: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
        Effect.provide(Effect.flatMap(SqlClient.SqlClient, use), client(place))
      const transaction = alone((sql) =>
        sql.withTransaction(
          Effect.gen(function* () {
            const [row] = yield* sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`
            const pid = row?.pid ?? 0
            yield* how(pid, sql)
            const isThere = alone((other) => other`SELECT 1 FROM pg_stat_activity WHERE pid = ${pid}`)
            while ((yield* isThere).length > 0) yield* Effect.yieldNow
            yield* Effect.promise(() => new Promise((done) => setImmediate(done)))
            yield* sql`SELECT 1`
          })
        )
      )
      const found = yield* Effect.catchDefect(Effect.flip(transaction), (defect) => Effect.succeed(defect))
      return isSqlError(found) ? mayPass(found) : found
    })

  it.live("may pass if the server ends the session, as when it is restarted", () =>
    Effect.gen(function* () {
      const place = yield* database.fresh
      const passes = yield* ended((pid) =>
        Effect.provide(
          Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT pg_terminate_backend(${pid})`),
          client(place)
        )
      )

      expect(passes).toBe(true)
    })
  )

  it.live("may pass if the session stood still inside of a transaction", () =>
    Effect.gen(function* () {
      expect(yield* ended((_, sql) => sql`SET LOCAL idle_in_transaction_session_timeout = '50ms'`)).toBe(true)
    })
  )

  it.live("does not pass if the question is wrong", () =>
    Effect.gen(function* () {
      const place = yield* database.fresh
      const error = yield* Effect.flip(
        Effect.provide(
          Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1 / 0`),
          client(place)
        )
      )

      expect(isSqlError(error) && mayPass(error)).toBe(false)
    })
  )
})
