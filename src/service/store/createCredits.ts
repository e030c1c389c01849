/**
 * What is reserved, what is free, what is sealed, and what is tried: steps of `migrations`, never edited once released.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** Credits that are reserved for work under way: of a request, until their time is over; of a job, until its end. */
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

/** Jobs that their team pays nothing for. */
export const addFreeJobs = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE job ADD COLUMN free INTEGER NOT NULL DEFAULT 0`
})

/** Jobs of which nothing may be kept: their texts are sealed. */
export const addSealedJobs = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE job ADD COLUMN sealed INTEGER NOT NULL DEFAULT 0`
})

/** Processes that have ended with a job, and with a page of it; and pages that are being read. */
export const addAttempts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE job ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE crawl_url ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE crawl_url ADD COLUMN reading INTEGER NOT NULL DEFAULT 0`
})

/** The process that was reading a page when it was taken for ended. Nothing reads it any more: suspects are read in quarantine. */
export const addBlame = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE crawl_url ADD COLUMN blamed_by TEXT`
})
