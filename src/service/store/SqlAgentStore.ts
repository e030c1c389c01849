/**
 * `AgentStore` over SQL.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { withoutNul } from "#base/withoutNul"
import type { TraceEvent } from "#contract/Trace"
import { AgentStore, type Entered, type Snapshot, type Step } from "../agent/AgentStore.ts"
import { chargeJob } from "./AccountStore.ts"
import * as JobRow from "./JobRow.ts"
import { storedJson } from "./jsonColumns.ts"
import * as Outbox from "./Outbox.ts"
import { ProcessLease } from "./ProcessLease.ts"
import { Seals } from "./Seals.ts"
import * as StorePort from "./StorePort.ts"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { forAll, owner } = yield* ProcessLease
  const seals = yield* Seals

  const enter = Effect.fnUntraced(function* ({ createdAt, id, mode, teamId, threadId, turn }: Entered) {
    if (turn === 1) {
      yield* sql`INSERT INTO agent_thread (id, team_id, created_at) VALUES (${threadId}, ${teamId}, ${createdAt})`
    }
    yield* sql`INSERT INTO agent_run (job_id, thread_id, turn, mode) VALUES (${id}, ${threadId}, ${turn}, ${mode})`
  })

  const tell = Effect.fnUntraced(function* (id: string, event: TraceEvent) {
    const locked = yield* sql`UPDATE job SET queued = queued WHERE id = ${id} AND status = 'scraping' RETURNING id`
    if (locked.length > 0) yield* append(sql)(id, [event], [])
  }, sql.withTransaction)

  const select = sql.literal(
    "SELECT j.*, r.thread_id, r.turn, r.mode, r.resolution, s.result FROM agent_run r JOIN job j ON j.id = r.job_id LEFT JOIN job_result s ON s.job_id = j.id"
  )

  return StorePort.fromSql<AgentStore["Service"]>({
    enter,
    thread: (id) =>
      Effect.map(sql<JobRow.ThreadRow>`SELECT * FROM agent_thread WHERE id = ${id}`, ([row]) =>
        Option.map(Option.fromUndefinedOr(row), JobRow.toThread)
      ),
    turns: (threadId) =>
      Effect.map(sql<JobRow.AgentRunRow>`${select} WHERE r.thread_id = ${threadId} ORDER BY r.turn`, (rows) =>
        rows.map((row) => JobRow.toRun(row, seals))
      ),
    run: (id) =>
      Effect.map(sql<JobRow.AgentRunRow>`${select} WHERE j.id = ${id}`, ([row]) =>
        Option.map(Option.fromUndefinedOr(row), (row) => JobRow.toRun(row, seals))
      ),
    list: (teamId, before, limit) =>
      Effect.map(
        sql<JobRow.Row>`SELECT * FROM job WHERE team_id = ${teamId} AND kind = 'agent' AND created_at < ${wholeMillis(before)}
          ORDER BY created_at DESC, id DESC LIMIT ${limit}`,
        (rows) => rows.map((row) => JobRow.ofRow(row, seals))
      ),
    startedBetween: (teamId, from, to) =>
      Effect.map(
        sql<{ n: number }>`SELECT count(*) AS n FROM job
          WHERE team_id = ${teamId} AND kind = 'agent' AND created_at >= ${from} AND created_at < ${to}`,
        ([row]) => Number(row?.n ?? 0)
      ),
    record: record(sql, owner),
    append: append(sql),
    tell,
    events: (id) =>
      Effect.map(
        sql<{ event: string }>`SELECT event FROM agent_event WHERE job_id = ${id} ORDER BY seq`,
        (rows) => rows.map(({ event }) => storedJson<TraceEvent>(event)) // as `append` wrote them
      ),
    snapshot: (id, snapshotId) =>
      Effect.map(
        sql<{ content: string }>`SELECT content FROM agent_snapshot WHERE job_id = ${id} AND id = ${snapshotId}`,
        ([row]) => Option.fromUndefinedOr(row?.content)
      ),
    resolve: (id, resolution) =>
      Effect.asVoid(sql`UPDATE agent_run SET resolution = ${JSON.stringify(resolution)} WHERE job_id = ${id}`),
    accepted: (teamId) =>
      Effect.map(
        sql<{ terms: string }>`SELECT terms FROM accepted_terms WHERE team_id = ${teamId}`,
        (rows) => new Set(rows.map(({ terms }) => terms))
      ),
    accept: Effect.fnUntraced(function* (teamId: string, terms: string) {
      const now = yield* Clock.currentTimeMillis
      yield* sql`INSERT INTO accepted_terms (team_id, terms, accepted_at) VALUES (${teamId}, ${terms}, ${now})
        ON CONFLICT (team_id, terms) DO NOTHING`
    }),
    expire: forAll(expire(sql))
  })
})

const append = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (
    id: string,
    events: ReadonlyArray<TraceEvent>,
    snapshots: ReadonlyArray<Snapshot>,
    action?: string
  ) {
    for (const { content, id: snapshotId, kind } of snapshots) {
      yield* sql`INSERT INTO agent_snapshot (job_id, id, kind, content)
        VALUES (${id}, ${snapshotId}, ${kind}, ${withoutNul(content)})`
    }
    const [last] = yield* sql<{ seq: number | null }>`SELECT max(seq) AS seq FROM agent_event WHERE job_id = ${id}`
    let seq = (last?.seq ?? -1) + 1
    for (const event of events) {
      const { id: agent } = event.agent
      const [newest] = yield* sql<{ n: number }>`
        SELECT count(*) AS n FROM agent_event WHERE job_id = ${id} AND agent = ${agent}`
      const numbered = { ...event, producerSequence: Number(newest?.n ?? 0) + 1 }
      yield* sql`INSERT INTO agent_event (job_id, seq, agent, event)
        VALUES (${id}, ${seq++}, ${agent}, ${JSON.stringify(numbered)})`
    }
    if (action !== undefined) {
      yield* Outbox.enqueue(sql, id, { name: "action", success: true, error: null, data: action })
    }
  })

const record = (sql: SqlClient.SqlClient, owner: string) =>
  Effect.fnUntraced(function* (id: string, { action, credits = 0, events, snapshots = [] }: Step) {
    // The job's row is the lock for all writes of the job, and shows whether this process still owns it.
    const [job] = yield* sql<{ team_id: string; free: number }>`UPDATE job SET credits_used = credits_used + ${credits}
      WHERE id = ${id} AND status = 'scraping' AND owner = ${owner} RETURNING team_id, free`
    if (job === undefined) return yield* Effect.interrupt
    if (credits !== 0 && job.free === 0) {
      yield* chargeJob(sql, { teamId: job.team_id, jobId: id, credits, isHeld: true })
    }
    yield* append(sql)(id, events, snapshots, action)
  }, sql.withTransaction)

const expire = (sql: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    const known = sql`SELECT id FROM job`
    for (const table of ["agent_event", "agent_snapshot", "agent_run"]) {
      yield* sql`DELETE FROM ${sql(table)} WHERE job_id NOT IN (${known})`
    }
    yield* sql`DELETE FROM agent_thread WHERE id NOT IN (SELECT thread_id FROM agent_run)`
  }).pipe(sql.withTransaction)

/** A caller's number as a whole number that every database can compare. */
const wholeMillis = (millis: number): number =>
  Math.ceil(Math.min(Number.MAX_SAFE_INTEGER, Math.max(Number.MIN_SAFE_INTEGER, millis)))

export const layer = Layer.effect(AgentStore, make)
