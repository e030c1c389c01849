/**
 * The tables of the service, as numbered steps that are never edited once released. The SQL works on SQLite and Postgres.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import { StoreError } from "#web/StoreError"
import { monthOf } from "./AccountStore.ts"

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

/**
 * The tables of agent runs: threads, traces, snapshots, and accepted terms. A step of `migrations`, never edited once
 * released.
 */
const createAgents = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE agent_thread (
    id TEXT PRIMARY KEY,
    team_id TEXT NOT NULL,
    created_at BIGINT NOT NULL
  )`
  yield* sql`CREATE TABLE agent_run (
    job_id TEXT PRIMARY KEY,
    thread_id TEXT NOT NULL,
    turn INTEGER NOT NULL,
    mode TEXT NOT NULL,
    resolution TEXT,
    UNIQUE (thread_id, turn)
  )`
  yield* sql`CREATE TABLE agent_event (
    job_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    agent TEXT NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (job_id, seq)
  )`
  yield* sql`CREATE INDEX agent_event_agent ON agent_event (job_id, agent)`
  yield* sql`CREATE TABLE agent_snapshot (
    job_id TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (job_id, id)
  )`
  yield* sql`CREATE TABLE accepted_terms (
    team_id TEXT NOT NULL,
    terms TEXT NOT NULL,
    accepted_at BIGINT NOT NULL,
    PRIMARY KEY (team_id, terms)
  )`
  yield* sql`CREATE INDEX job_team ON job (team_id, kind, created_at)`
})

/** The shared secret of the processes, the report of each, and the rate of each team's requests. */
const createCluster = Effect.gen(function* () {
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
const addProcessLeases = Effect.gen(function* () {
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
const addHostPauses = Effect.gen(function* () {
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

/** Reserved credits: of a request, until they expire; of a job, until its end. */
const createCreditHolds = Effect.gen(function* () {
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
const addFreeJobs = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE job ADD COLUMN free INTEGER NOT NULL DEFAULT 0`
})

/** Jobs with zero data retention: their texts are sealed. */
const addSealedJobs = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE job ADD COLUMN sealed INTEGER NOT NULL DEFAULT 0`
})

/** How many processes have ended with a job, and with a page of it; and which pages are being read. */
const addAttempts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE job ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE crawl_url ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE crawl_url ADD COLUMN reading INTEGER NOT NULL DEFAULT 0`
})

/** The process that was reading a page when it seemed to have ended. Unused now: suspects are read in quarantine. */
const addBlame = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE crawl_url ADD COLUMN blamed_by TEXT`
})

/**
 * The tables of monitors, of their checks with the result for each page, and of the last state of each page. Steps of
 * `migrations`, never edited once released.
 */
const createMonitors = Effect.gen(function* () {
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
const addTold = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE monitor_page ADD COLUMN told INTEGER`
})

/**
 * The tables of the pages that searches find. Their words are in a separate table on SQLite, and in a column on Postgres. A
 * step of `migrations`, never edited once released.
 */
const createPageIndex = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const dialect = sql.onDialectOrElse({
    pg: () => ({
      id: sql.literal("BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"),
      words: sql.literal(", words tsvector NOT NULL"),
      index: sql`CREATE INDEX indexed_page_words ON indexed_page USING gin (words)`
    }),
    orElse: () => ({
      id: sql.literal("INTEGER PRIMARY KEY"),
      words: sql.literal(""),
      index: sql`CREATE VIRTUAL TABLE page_words USING fts5(
        team, title, description, address, text, content = '', contentless_delete = 1, tokenize = 'ascii')`
    })
  })
  yield* sql`CREATE TABLE indexed_page (
    id ${dialect.id},
    team_id TEXT NOT NULL,
    page_key TEXT NOT NULL,
    url TEXT NOT NULL,
    host TEXT NOT NULL,
    file_type TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    published_at BIGINT,
    read_at BIGINT NOT NULL,
    text TEXT NOT NULL
    ${dialect.words},
    UNIQUE (team_id, page_key)
  )`
  yield* sql`CREATE INDEX indexed_page_age ON indexed_page (read_at, bytes)`
  yield* dialect.index
  yield* sql`CREATE TABLE indexed_job (
    job_id TEXT PRIMARY KEY,
    done INTEGER NOT NULL
  )`
  yield* sql`ALTER TABLE scrape_result ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0`
  yield* sql`CREATE INDEX scrape_result_unindexed ON scrape_result (id) WHERE indexed = 0`
})

/** The sites of which a browser has shown a page that its scripts fill. */
const createRenderedSites = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE rendered_site (id TEXT PRIMARY KEY, bytes INTEGER NOT NULL, kept_at BIGINT NOT NULL)`
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
      "22_told": addTold,
      "23_rendered_sites": createRenderedSites
    }),
    table: "service_migrations"
  })
)
