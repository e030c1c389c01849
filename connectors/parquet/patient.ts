/**
 * A database whose statements are tried once more, with more memory, where the little that it has did not suffice.
 *
 * The law: no transaction is open, and each statement can run twice: one that failed has changed nothing, a file that it
 * had begun is written from its beginning, and the rows of a feed are read anew.
 */
import type * as Database from "../../src/duckdb/Database.ts"

export const patient = (database: Database.Database): Database.Database => ({
  ...database,
  run: (sql, values) => database.retryWithMoreMemory(database.run(sql, values)),
  query: (sql, columns, values) => database.retryWithMoreMemory(database.query(sql, columns, values)),
  values: (sql) => database.retryWithMoreMemory(database.values(sql))
})
