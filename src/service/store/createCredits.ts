/**
 * Columns and tables for reserved credits, free jobs, sealed jobs and attempts: steps of `migrations`, never edited once
 * released.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** Reserved credits: of a request, until they expire; of a job, until its end. */
export const createCreditHolds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE credit_hold (
    id TEXT PRIMARY KEY,
    team_id TEXT NOT NULL,
    credits BIGINT NOT NULL,
    until BIGINT NOT NULL
  )`
  yield* sql`CREATE INDEX credit_hold_team ON credit_hold (team_id)`
})

/** Jobs that are free for their team. */
export const addFreeJobs = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE job ADD COLUMN free INTEGER NOT NULL DEFAULT 0`
})

/** Jobs with zero data retention: their texts are sealed. */
export const addSealedJobs = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE job ADD COLUMN sealed INTEGER NOT NULL DEFAULT 0`
})

/** How many processes have ended with a job, and with a page of it; and which pages are being read. */
export const addAttempts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE job ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE crawl_url ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE crawl_url ADD COLUMN reading INTEGER NOT NULL DEFAULT 0`
})

/** The process that was reading a page when it seemed to have ended. Unused now: suspects are read in quarantine. */
export const addBlame = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE crawl_url ADD COLUMN blamed_by TEXT`
})
