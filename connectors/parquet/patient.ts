/**
 * A database whose statements are tried once more, with more memory, where the little that it has did not suffice.
 *
 * The law: no transaction is open, and each statement can run twice: one that failed has changed nothing, a file that it
 * had begun is written from its beginning, and the rows of a feed are read anew.
 */
import * as Effect from "effect/Effect"
import type * as Database from "../../src/duckdb/Database.ts"

export const patient = (database: Database.Database): Database.Database => {
  const patiently = <A>(statement: Effect.Effect<A, Database.DatabaseError>) =>
    Effect.catchIf(statement, isOutOfMemory, () => database.amply(statement))
  return {
    ...database,
    run: (sql, values) => patiently(database.run(sql, values)),
    query: (sql, columns, values) => patiently(database.query(sql, columns, values)),
    values: (sql) => patiently(database.values(sql))
  }
}

/** The words that DuckDB has for it: its own, those of its buffers, and those that come back through a feed. */
const isOutOfMemory = ({ message }: Database.DatabaseError): boolean =>
  /Out of Memory|failed to (pin block|allocate data) of size/.test(message)
