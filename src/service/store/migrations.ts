/**
 * The tables of the service, as numbered steps that are never edited once released. SQL that SQLite and Postgres share.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"

const createCrawls = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE crawl_job (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    team_id TEXT NOT NULL,
    url TEXT NOT NULL,
    request TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    completed_at BIGINT,
    error TEXT,
    warning TEXT,
    queued INTEGER NOT NULL DEFAULT 0,
    scraped INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    blocked INTEGER NOT NULL DEFAULT 0,
    alias INTEGER NOT NULL DEFAULT 0,
    left_over INTEGER NOT NULL DEFAULT 0,
    credits_used INTEGER NOT NULL DEFAULT 0
  )`
  yield* sql`CREATE INDEX crawl_job_status ON crawl_job (status)`
  yield* sql`CREATE TABLE crawl_url (
    job_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    page_key TEXT NOT NULL,
    url TEXT NOT NULL,
    depth INTEGER NOT NULL,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (job_id, seq)
  )`
  yield* sql`CREATE TABLE crawl_page (
    job_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (job_id, seq)
  )`
  yield* sql`CREATE TABLE crawl_error (
    job_id TEXT NOT NULL,
    id TEXT NOT NULL,
    url TEXT NOT NULL,
    code TEXT,
    error TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (job_id, id)
  )`
})

const createAccounts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE team_account (
    team_id TEXT PRIMARY KEY,
    used BIGINT NOT NULL
  )`
  yield* sql`CREATE TABLE idempotency_key (
    team_id TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    job_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (team_id, idempotency_key)
  )`
})

/** The process that runs a job, and until when: epoch milliseconds by the clock of the database. */
const createLeases = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE crawl_job ADD COLUMN owner TEXT NOT NULL DEFAULT ''`
  yield* sql`ALTER TABLE crawl_job ADD COLUMN lease_until BIGINT NOT NULL DEFAULT 0`
})

/** Brings the database to the newest step before anything uses it. */
export const layer = Layer.effectDiscard(
  Migrator.make({})({
    loader: Migrator.fromRecord({ "1_crawls": createCrawls, "2_accounts": createAccounts, "3_leases": createLeases }),
    table: "service_migrations"
  })
)
