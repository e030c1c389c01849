/**
 * The tables of agent runs: threads, traces, snapshots, and accepted terms. A step of `migrations`, never edited once
 * released.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const createAgents = Effect.gen(function* () {
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
