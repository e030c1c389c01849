/**
 * The tables that several processes on one database share: steps of `migrations`, never edited once released.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { StoreError } from "#web/StoreError"

/** The shared secret of the processes, the report of each, and the rate of each team's requests. */
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

/** Rows now name only their owner, and each process has one lease, in the row of its report. */
export const addProcessLeases = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.onDialectOrElse({ pg: () => refuseBesideOlder(sql), orElse: () => Effect.void })
  for (const table of ["job", "webhook", "monitor_check"]) {
    yield* sql`ALTER TABLE ${sql(table)} DROP COLUMN lease_until`
  }
  yield* sql`DROP TABLE cluster_process`
  yield* sql`CREATE TABLE cluster_process (
    owner TEXT PRIMARY KEY,
    address TEXT NOT NULL,
    version INTEGER NOT NULL,
    report TEXT NOT NULL,
    reported_at BIGINT NOT NULL
  )`
})

/** The pauses that hosts asked for. */
export const addHostPauses = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE host_pause (host TEXT PRIMARY KEY, until BIGINT NOT NULL)`
})

/** Fails if a process with the older layout is alive (it gave a sign, or holds a row), because it would lose all its rows. */
const refuseBesideOlder = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const now = sql.literal("(extract(epoch FROM clock_timestamp()) * 1000)::bigint")
  const [older] = yield* sql<{ name: string }>`
    SELECT address AS name FROM cluster_process WHERE reported_at > ${now} - 10000
    UNION ALL SELECT 'process ' || owner FROM job WHERE status = 'scraping' AND lease_until > ${now}
    UNION ALL SELECT 'process ' || owner FROM monitor_check WHERE status IN ('queued', 'running') AND lease_until > ${now}
    UNION ALL SELECT 'process ' || owner FROM webhook WHERE lease_until > ${now} LIMIT 1`
  if (older === undefined) return
  return yield* new StoreError({
    message: `${older.name} serves it with an older version of Millrace: end all older processes first (one that was killed counts for 15 seconds)`,
    isRetryable: false
  })
})
