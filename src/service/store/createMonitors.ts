/**
 * The tables of monitors, of their checks with the result for each page, and of the last state of each page. Steps of
 * `migrations`, never edited once released.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const createMonitors = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE monitor (
    id TEXT PRIMARY KEY,
    team_id TEXT NOT NULL,
    name TEXT NOT NULL,
    status TEXT NOT NULL,
    definition TEXT NOT NULL,
    next_run_at BIGINT,
    last_run_at BIGINT,
    current_check_id TEXT,
    last_check_id TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
  )`
  yield* sql`CREATE INDEX monitor_due ON monitor (next_run_at)`
  yield* sql`CREATE INDEX monitor_team ON monitor (team_id, created_at)`
  yield* sql`CREATE TABLE monitor_check (
    id TEXT PRIMARY KEY,
    monitor_id TEXT NOT NULL,
    team_id TEXT NOT NULL,
    status TEXT NOT NULL,
    cause TEXT NOT NULL,
    definition TEXT NOT NULL,
    scheduled_for BIGINT,
    created_at BIGINT NOT NULL,
    started_at BIGINT,
    finished_at BIGINT,
    estimated_credits BIGINT,
    credits BIGINT NOT NULL DEFAULT 0,
    same INTEGER NOT NULL DEFAULT 0,
    changed INTEGER NOT NULL DEFAULT 0,
    added INTEGER NOT NULL DEFAULT 0,
    removed INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    targets TEXT NOT NULL,
    error TEXT,
    mail TEXT,
    mail_attempts INTEGER NOT NULL DEFAULT 0,
    mail_due_at BIGINT,
    owner TEXT NOT NULL DEFAULT '',
    lease_until BIGINT NOT NULL DEFAULT 0
  )`
  yield* sql`CREATE INDEX monitor_check_monitor ON monitor_check (monitor_id, created_at)`
  yield* sql`CREATE INDEX monitor_check_open ON monitor_check (status)`
  yield* sql`CREATE INDEX monitor_check_mail ON monitor_check (mail, mail_due_at)`
  yield* sql`CREATE TABLE monitor_page (
    check_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    target_id TEXT NOT NULL,
    page_key TEXT NOT NULL,
    url TEXT NOT NULL,
    status TEXT NOT NULL,
    status_code INTEGER,
    previous_scrape_id TEXT,
    current_scrape_id TEXT,
    error TEXT,
    metadata TEXT,
    judgment TEXT,
    diff TEXT,
    snapshot TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (check_id, seq),
    UNIQUE (check_id, target_id, page_key)
  )`
  yield* sql`CREATE TABLE monitor_state (
    monitor_id TEXT NOT NULL,
    target_id TEXT NOT NULL,
    page_key TEXT NOT NULL,
    asked_key TEXT NOT NULL,
    url TEXT NOT NULL,
    scrape_id TEXT,
    version TEXT NOT NULL,
    check_id TEXT NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (monitor_id, target_id, page_key)
  )`
  yield* sql`CREATE INDEX monitor_state_asked ON monitor_state (monitor_id, target_id, asked_key)`
})

/** Whether a page of a check is reported. Null in older checks, which report all pages that are not the same. */
export const addTold = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE monitor_page ADD COLUMN told INTEGER`
})
