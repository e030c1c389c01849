/**
 * The lock of a schema, which has one writer at a time: an advisory lock of the session, which ends with the session.
 *
 * The server notices within about a second that a writer was killed; the next writer waits that long.
 */
import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import type { DatabaseLocation } from "../DatabaseLocation.ts"
import { busy, failure, ServerError } from "../failure.ts"
import { type Connection, open } from "./Connection.ts"

export const acquire = Effect.fnUntraced(function* (connection: Connection, { location, schema }: DatabaseLocation) {
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

/** A session of the server that only this writer uses. */
export interface Session {
  readonly pid: string
  /** A unique text of this writer, which is in the names of its temporary tables. */
  readonly token: string
}

/**
 * Takes the session. It fails if a pooler gives each transaction another session, because the lock and the staged rows would
 * then belong to another client. To test a pooler, a second client begins a transaction: it must not get the same session.
 */
export const takeSession = Effect.fnUntraced(function* (connection: Connection, place: DatabaseLocation) {
  const token = yield* Effect.sync(() => randomUUID().slice(0, 8))
  yield* connection.run("SELECT set_config('millrace.writer', $1, false)", [token])
  const { pid } = yield* sessionOf(connection)
  if (pid !== connection.announced) {
    const other = yield* Effect.scoped(
      Effect.gen(function* () {
        const probe = yield* open(place)
        yield* sessionOf(connection)
        yield* probe.run("BEGIN")
        return yield* sessionOf(probe)
      })
    )
    if (other.pid === pid) return yield* failure(pooled)()
  }
  const session: Session = { pid, token }
  return session
})

/** Fails if the session is not the one that was taken. */
export const checkSession = Effect.fnUntraced(function* (connection: Connection, { pid, token }: Session) {
  const now = yield* sessionOf(connection)
  if (now.pid !== pid || now.token !== token) return yield* failure(pooled)()
})

const sessionOf = (connection: Connection) =>
  Effect.map(
    connection.rows("SELECT pg_backend_pid() AS pid, current_setting('millrace.writer', true) AS token"),
    ([row]): Session => ({ pid: row?.["pid"] ?? "", token: row?.["token"] ?? "" })
  )

const pooled =
  "url is the address of a pooler that gives each transaction another session; name the server itself, or a pool in session mode (pgbouncer: pool_mode = session)"

/** Fails if the server is too old or cannot be written. */
export const checkServer = Effect.fnUntraced(function* (connection: Connection, { location }: DatabaseLocation) {
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
