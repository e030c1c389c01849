/**
 * `effect/sql` over Postgres: the store that several service processes share.
 *
 * A number in SQLite is a number here too; a number beyond 2^53 is refused, not rounded. A process that hangs inside a
 * transaction, or loses its connection, locks rows no longer than a transaction may stand still. A connection is waited for
 * by the clock of the machine, because the server knows no other.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Clock from "effect/Clock"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/**
 * A pool of connections to the database of a `postgres://` URL. Closed with the scope of the layer.
 * `idleTransactionMillis`: how long a transaction may stand still before the database ends it.
 */
export const layer = (
  url: Redacted.Redacted,
  idleTransactionMillis: number
): Layer.Layer<SqlClient.SqlClient, SqlError> =>
  PgClient.layer({
    url,
    applicationName: "millrace",
    types,
    maxMessageSize,
    keepAlive: "10 seconds",
    startupParameters: {
      statement_timeout: "5min",
      idle_in_transaction_session_timeout: `${idleTransactionMillis}ms`
    }
  }).pipe(Layer.provide(Layer.succeed(Clock.Clock, Clock.Clock.defaultValue())))

/** A row holds one page document, and Postgres itself takes no text beyond 1 GB. */
const maxMessageSize = 2 ** 30

const types = PgTypes.makeRegistry()
types.register<number | bigint>(PgTypes.OID.int8, {
  encode: (value) => PgTypes.encode(BigInt(value), PgTypes.OID.int8),
  decode: (bytes) =>
    Result.flatMap(PgTypes.decode(bytes, PgTypes.OID.int8, 1), (value) => {
      const number = Number(value)
      return Number.isSafeInteger(number)
        ? Result.succeed(number)
        : Result.fail(new PgTypes.CodecError({ message: `${String(value)} is too large to be a number` }))
    })
})
