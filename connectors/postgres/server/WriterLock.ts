/**
 * One writer for each schema of a database: an advisory lock of the session, which is gone with it however it ends.
 *
 * A writer that was killed is noticed by the server within a second or so; that long the next one waits.
 */
import * as Effect from "effect/Effect"
import { busy, failure, ServerError } from "../failure.ts"
import type { Connection } from "./Connection.ts"
import type { Place } from "./Place.ts"

export const acquire = Effect.fnUntraced(function* (connection: Connection, { location, schema }: Place) {
  yield* connection.run("SET lock_timeout = '4s'")
  yield* connection.run("SELECT pg_advisory_lock(hashtextextended($1, 0))", [`millrace writes ${schema}`]).pipe(
    Effect.catchIf(
      (error) => error instanceof ServerError && error.code === "55P03",
      () =>
        Effect.fail(
          busy(
            `another run writes into ${location}: let it end first, or write into a schema of your own (schema: NAME)`
          )
        )
    )
  )
  yield* connection.run("SET lock_timeout = '60s'")
})

/** Which session of the server this is. A pooler may give each transaction another one, without our lock and rows. */
export const sessionOf = (connection: Connection) =>
  Effect.map(connection.rows("SELECT pg_backend_pid() AS pid"), ([row]) => row?.["pid"] ?? "")

/** Fails where the session is another one than it was. */
export const checkSession = Effect.fnUntraced(function* (connection: Connection, expected: string) {
  if ((yield* sessionOf(connection)) === expected) return
  return yield* failure(
    "the session has changed: url is the address of a pooler that gives each transaction another one; name the server itself, or a pool in session mode (pgbouncer: pool_mode = session)"
  )()
})

/** Fails where the server cannot be written as this sink does. */
export const checkServer = Effect.fnUntraced(function* (connection: Connection, { location }: Place) {
  const [row = {}] = yield* connection.rows(
    `SELECT current_setting('server_version_num')::int >= 140000 AS recent, current_setting('server_version') AS version,
      current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS replica`
  )
  const fault =
    row["recent"] !== "t"
      ? `it is Postgres ${row["version"]}, and Millrace needs 14 or later`
      : row["encoding"] !== "UTF8"
        ? `its encoding is ${row["encoding"]}, which cannot hold all text; make a database with ENCODING 'UTF8'`
        : row["replica"] === "t"
          ? "it is a replica, which takes no writes: name the primary"
          : undefined
  if (fault !== undefined) return yield* failure(`cannot write ${location}: ${fault}`)()
})
