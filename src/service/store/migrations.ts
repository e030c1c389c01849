/**
 * The tables of the service, as numbered steps that are never edited once released. The SQL works on SQLite and Postgres.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import { monthOf } from "./AccountStore.ts"
import { createAgents } from "./createAgents.ts"
import { addHostPauses, addProcessLeases, createCluster } from "./createCluster.ts"
import { addAttempts, addBlame, addFreeJobs, addSealedJobs, createCreditHolds } from "./createCredits.ts"
import { addTold, createMonitors } from "./createMonitors.ts"
import { createPageIndex } from "./createPageIndex.ts"

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

const createScrapes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE scrape_copy (
    id TEXT PRIMARY KEY,
    text TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    kept_at BIGINT NOT NULL
  )`
  yield* sql`CREATE INDEX scrape_copy_age ON scrape_copy (kept_at)`
  yield* sql`CREATE TABLE scrape_snapshot (
    team_id TEXT NOT NULL,
    tag TEXT NOT NULL,
    page_key TEXT NOT NULL,
    markdown TEXT NOT NULL,
    json TEXT,
    bytes INTEGER NOT NULL,
    kept_at BIGINT NOT NULL,
    PRIMARY KEY (team_id, tag, page_key)
  )`
  yield* sql`CREATE INDEX scrape_snapshot_age ON scrape_snapshot (kept_at)`
})

const createWebhooks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE webhook (
    job_id TEXT PRIMARY KEY,
    team_id TEXT NOT NULL,
    event_group TEXT NOT NULL,
    url TEXT NOT NULL,
    headers TEXT NOT NULL,
    metadata TEXT NOT NULL,
    events TEXT NOT NULL,
    ended_at BIGINT
  )`
  yield* sql`CREATE TABLE webhook_delivery (
    job_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    success INTEGER NOT NULL,
    page_seq INTEGER,
    data TEXT,
    error TEXT,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    status_code INTEGER,
    last_error TEXT,
    created_at BIGINT NOT NULL,
    attempted_at BIGINT,
    due_at BIGINT NOT NULL,
    PRIMARY KEY (job_id, seq)
  )`
  yield* sql`CREATE INDEX webhook_delivery_due ON webhook_delivery (job_id, state, due_at, seq)`
})

/** The process that runs a job or delivers its webhook events, and the end of its lease by the clock of the database. */
const createLeases = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const table of ["crawl_job", "webhook"]) {
    yield* sql`ALTER TABLE ${sql(table)} ADD COLUMN owner TEXT NOT NULL DEFAULT ''`
    yield* sql`ALTER TABLE ${sql(table)} ADD COLUMN lease_until BIGINT NOT NULL DEFAULT 0`
  }
})

/** The results of scrapes, for later requests. */
const createScrapeResults = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE scrape_result (
    id TEXT PRIMARY KEY,
    team_id TEXT NOT NULL,
    document TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    kept_at BIGINT NOT NULL
  )`
  yield* sql`CREATE INDEX scrape_result_age ON scrape_result (kept_at)`
})

/** The usage of teams by month. Usage before this step counts for the month of the step. */
const createUsage = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const month = monthOf(yield* Clock.currentTimeMillis)
  yield* sql`CREATE TABLE team_usage (
    team_id TEXT NOT NULL,
    month TEXT NOT NULL,
    credits BIGINT NOT NULL,
    PRIMARY KEY (team_id, month)
  )`
  yield* sql`INSERT INTO team_usage (team_id, month, credits) SELECT team_id, ${month}, used FROM team_account`
  yield* sql`DROP TABLE team_account`
})

/** Results of jobs that are not pages, and requests to stop a job at its next step. */
const createResults = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE crawl_job RENAME TO job`
  yield* sql`ALTER TABLE job ADD COLUMN stop_asked_at BIGINT`
  yield* sql`CREATE TABLE job_result (
    job_id TEXT PRIMARY KEY,
    result TEXT NOT NULL
  )`
})

/**
 * What a crawl needs to decide which URLs are the same page, and the final order of its documents. `holds` of a job: 0: its
 * documents are delivered as they come; 1: only after it has ended; 2: they have their final order (places).
 */
const createPlaces = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const column of ["discovered_from INTEGER", "alias_of INTEGER", "page_seq INTEGER"]) {
    yield* sql`ALTER TABLE crawl_url ADD COLUMN ${sql.literal(column)}`
  }
  for (const column of ["final_url", "source_url", "canonical", "content", "meaning", "template"]) {
    yield* sql`ALTER TABLE crawl_url ADD COLUMN ${sql(column)} TEXT`
  }
  yield* sql`ALTER TABLE job ADD COLUMN holds INTEGER NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE job ADD COLUMN routes INTEGER NOT NULL DEFAULT 0`
  yield* sql`CREATE TABLE crawl_spelling (
    job_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    url TEXT NOT NULL,
    PRIMARY KEY (job_id, seq, url)
  )`
  yield* sql`CREATE TABLE crawl_place (
    job_id TEXT NOT NULL,
    place INTEGER NOT NULL,
    url_seq INTEGER NOT NULL,
    PRIMARY KEY (job_id, place)
  )`
})

/** The version of the main content algorithm of a snapshot, and a count of pages that change back and forth. */
const addReadings = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE scrape_snapshot ADD COLUMN content_version INTEGER`
  yield* sql`ALTER TABLE monitor_page ADD COLUMN flips INTEGER`
})

/** Runs all missing steps before anything uses the database. */
export const layer = Layer.effectDiscard(
  Migrator.make({})({
    loader: Migrator.fromRecord({
      "1_crawls": createCrawls,
      "2_accounts": createAccounts,
      "3_scrapes": createScrapes,
      "4_webhooks": createWebhooks,
      "5_leases": createLeases,
      "6_scrape_results": createScrapeResults,
      "7_usage": createUsage,
      "8_results": createResults,
      "9_agents": createAgents,
      "10_page_index": createPageIndex,
      "11_monitors": createMonitors,
      "12_places": createPlaces,
      "13_readings": addReadings,
      "14_credit_holds": createCreditHolds,
      "15_free_jobs": addFreeJobs,
      "16_sealed_jobs": addSealedJobs,
      "17_attempts": addAttempts,
      "18_cluster": createCluster,
      "19_blame": addBlame,
      "20_process_leases": addProcessLeases,
      "21_host_pauses": addHostPauses,
      "22_told": addTold
    }),
    table: "service_migrations"
  })
)
