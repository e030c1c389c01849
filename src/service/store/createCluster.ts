/**
 * What several processes on one database share: a step of `migrations`, never edited once released.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** The secret of the processes, what each says of itself, and the requests of each team in its minute. */
export const createCluster = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE cluster_secret (id INTEGER PRIMARY KEY, secret TEXT NOT NULL)`
  yield* sql`CREATE TABLE cluster_process (
    address TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    report TEXT NOT NULL,
    reported_at BIGINT NOT NULL
  )`
  yield* sql`CREATE TABLE team_rate (
    team_id TEXT PRIMARY KEY,
    tokens DOUBLE PRECISION NOT NULL,
    at BIGINT NOT NULL
  )`
})
