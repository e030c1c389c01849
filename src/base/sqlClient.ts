/**
 * The SQL client of a database: a SQLite file, ":memory:", or the `postgres://` URL of one that other processes may share.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Sqlite from "./SqliteClient.ts"

/** How long a transaction on Postgres may stand still before the database ends it. */
export const idleTransactionMillis = 15_000

/** Postgres's driver is loaded only where a URL asks for it. */
export const client = (database: string | Redacted.Redacted, options: { readonly repairs?: boolean } = {}) => {
  const place = placeOf(database)
  return isPostgres(database)
    ? Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("./sql/Postgres.ts")),
          (Postgres) => Postgres.layer(Redacted.make(place), idleTransactionMillis)
        )
      )
    : Sqlite.layer(place, options)
}

export const isPostgres = (database: string | Redacted.Redacted): boolean =>
  /^postgres(ql)?:\/\//.test(placeOf(database))

export const placeOf = (database: string | Redacted.Redacted): string =>
  Redacted.isRedacted(database) ? Redacted.value(database) : database
