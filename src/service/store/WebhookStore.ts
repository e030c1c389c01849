/**
 * The deliveries of webhooks: which are due, the result of each attempt, and a log that is kept as long as the job.
 *
 * The process that owns a job's webhook makes its deliveries, so they keep their order and are not made twice; if that
 * process dies, another one continues (`ProcessLease`).
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { StoreError } from "#web/StoreError"
import { maskedHeaders, storedJson } from "./jsonColumns.ts"
import * as keepOwn from "./keepOwn.ts"
import { ProcessLease } from "./ProcessLease.ts"
import * as Seal from "./Seal.ts"
import { Seals } from "./Seals.ts"
import * as StorePort from "./StorePort.ts"

/** The result of an attempt. */
export interface Attempt {
  readonly state: State
  readonly at: number
  /** The status of the receiver's answer; null: there was none. */
  readonly status: number | null
  readonly error: string | null
  /** The time of the next attempt, if the delivery is still pending. */
  readonly dueAt: number
}

/** The receiver and the time of the delivery of a job that is due first. */
export interface Waiting {
  readonly teamId: string
  readonly url: string
  readonly dueAt: number
}

/** An attempt at a delivery. */
export interface DeliveryAttempt {
  readonly delivery: Delivery
  readonly attempt: Attempt
}

export class WebhookStore extends Context.Service<
  WebhookStore,
  {
    /** The jobs that have a webhook. */
    readonly jobs: Effect.Effect<ReadonlyArray<string>, StoreError>
    /** Makes this process the owner of all webhooks with pending deliveries that no living process owns. Returns their jobs. */
    readonly take: Effect.Effect<ReadonlyArray<string>, StoreError>
    /** Makes this process the owner of a job's webhook. Returns undefined if another process is, or no delivery is pending. */
    readonly claim: (jobId: string) => Effect.Effect<Waiting | undefined, StoreError>
    /** Returns which of these jobs this process no longer owns. Releases owned jobs that are not in the list (`keepOwn`). */
    readonly keep: (jobIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, StoreError>
    /** Releases the webhooks of these jobs, so that another process can own them. */
    readonly release: (jobIds: ReadonlyArray<string>) => Effect.Effect<void, StoreError>
    /**
     * The deliveries of a claimed job that are due now, in order; of several that are due together, the one that was
     * recorded first. At most `limit` and `batchBytes`, and at least one.
     */
    readonly next: (jobId: string, now: number, limit: number) => Effect.Effect<ReadonlyArray<Delivery>, StoreError>
    readonly attempted: (made: ReadonlyArray<DeliveryAttempt>) => Effect.Effect<void, StoreError>
    /** All deliveries of a job, in the order of their events. */
    readonly log: (jobId: string) => Effect.Effect<ReadonlyArray<LogEntry>, StoreError>
    /** Deletes the webhooks of jobs that ended before this time. */
    readonly expire: (before: number) => Effect.Effect<void, StoreError>
  }
>()("millrace/service/WebhookStore") {
  static readonly layer = Layer.effect(
    WebhookStore,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { forAll, owner, isShared, free, skipLocked } = yield* ProcessLease
  const seals = yield* Seals

  const take = Effect.map(
    sql<JobId>`UPDATE webhook SET owner = ${owner}
      WHERE job_id IN (
        SELECT job_id FROM webhook WHERE ${free} AND EXISTS (
          SELECT 1 FROM webhook_delivery d WHERE d.job_id = webhook.job_id AND d.state = 'pending'
        ) ${skipLocked}
      ) RETURNING job_id`,
    idsOf
  )

  const isOwn = isShared ? sql`w.owner = ${owner}` : sql`true`
  const claim = Effect.fnUntraced(function* (jobId: string) {
    if (isShared) {
      yield* sql`UPDATE webhook SET owner = ${owner} WHERE job_id = ${jobId} AND owner <> ${owner} AND ${free}`
    }
    const [row] = yield* sql<WaitingRow>`SELECT w.team_id, w.url, d.due_at
      FROM webhook w JOIN webhook_delivery d ON d.job_id = w.job_id AND d.state = 'pending'
      WHERE w.job_id = ${jobId} AND ${isOwn} ORDER BY d.due_at, d.seq LIMIT 1`
    if (row === undefined) return undefined
    const waiting = toWaiting(row, openerOf(seals, jobId))
    if (waiting === undefined) yield* giveUp(sql, jobId)
    return waiting
  })

  /** With a single process, no other one waits for the webhook. */
  const release = (jobIds: ReadonlyArray<string>) =>
    isShared && jobIds.length > 0
      ? Effect.asVoid(sql`UPDATE webhook SET owner = '' WHERE owner = ${owner} AND ${sql.in("job_id", jobIds)}`)
      : Effect.void

  const expire = Effect.fnUntraced(
    function* (before: number) {
      yield* sql`DELETE FROM webhook_delivery WHERE job_id IN (SELECT job_id FROM webhook WHERE ended_at < ${before})`
      yield* sql`DELETE FROM webhook WHERE ended_at < ${before}`
    },
    (work) => forAll(sql.withTransaction(work))
  )

  return StorePort.fromSql<WebhookStore["Service"]>({
    jobs: Effect.map(sql<JobId>`SELECT job_id FROM webhook`, idsOf),
    take,
    claim,
    keep: keepOwn.of({
      own: Effect.map(sql<JobId>`SELECT job_id FROM webhook WHERE owner = ${owner}`, idsOf),
      release
    }),
    release,
    next: next({ sql, seals, isOwn }),
    attempted: attempted({ sql, seals, isOwn }),
    log: (jobId) =>
      Effect.map(
        sql<LogRow>`SELECT seq, id, type, state, attempts, status_code, last_error, attempted_at, due_at
          FROM webhook_delivery WHERE job_id = ${jobId} ORDER BY seq`,
        (rows) => rows.map(toLogEntry)
      ),
    expire
  })
})

interface Base {
  readonly sql: SqlClient.SqlClient
  readonly seals: Seals["Service"]
  /** Whether this process owns the webhook `w`. */
  readonly isOwn: Fragment
}

const next = ({ isOwn, seals, sql }: Base) =>
  Effect.fnUntraced(function* (jobId: string, now: number, limit: number) {
    const rows = yield* sql<DeliveryRow>`
      SELECT d.job_id, d.seq, d.id, d.type, d.success, d.error, d.data, d.attempts, d.due_at,
        w.team_id, w.url, w.headers, w.metadata, p.document
      FROM (
        SELECT f.*, sum(f.bytes) OVER (ORDER BY f.due_at, f.seq) - f.bytes AS ahead
        FROM (SELECT d.job_id, d.seq, d.page_seq, d.due_at, coalesce(p.bytes, length(d.data), 0) AS bytes
          FROM webhook_delivery d LEFT JOIN crawl_page p ON p.job_id = d.job_id AND p.seq = d.page_seq
          WHERE d.job_id = ${jobId} AND d.state = 'pending' AND d.due_at <= ${now}
          ORDER BY d.due_at, d.seq LIMIT ${limit}) f
      ) a
      JOIN webhook_delivery d ON d.job_id = a.job_id AND d.seq = a.seq
      JOIN webhook w ON w.job_id = a.job_id AND ${isOwn}
      LEFT JOIN crawl_page p ON p.job_id = a.job_id AND p.seq = a.page_seq
      WHERE a.ahead < ${batchBytes} ORDER BY a.due_at, a.seq`
    const deliveries = rows.flatMap((row) => toDelivery(row, openerOf(seals, jobId)) ?? [])
    if (deliveries.length === rows.length) return deliveries
    yield* giveUp(sql, jobId)
    return []
  })

const attempted = ({ seals, sql }: Base) =>
  Effect.fnUntraced(function* (made: ReadonlyArray<DeliveryAttempt>) {
    const ended = new Map<string, Delivery>()
    for (const { attempt, delivery } of made) {
      const { at, dueAt, error, state, status } = attempt
      const { headers, jobId, seq } = delivery
      yield* sql`UPDATE webhook_delivery SET state = ${state}, attempts = attempts + 1, attempted_at = ${at},
        status_code = ${status}, last_error = ${sealedError(seals, jobId, error)}, due_at = ${dueAt} WHERE job_id = ${jobId} AND seq = ${seq}`
      if (state !== "pending" && Object.keys(headers).length > 0) ended.set(jobId, delivery)
    }
    // After the last delivery, the headers of a webhook are not needed any more.
    for (const { headers, jobId } of ended.values()) {
      yield* sql`UPDATE webhook SET headers = ${maskedHeaders(headers)}
        WHERE job_id = ${jobId} AND ended_at IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM webhook_delivery d WHERE d.job_id = webhook.job_id AND d.state = 'pending')`
    }
  }, sql.withTransaction)

/** Gives up deliveries that cannot be decrypted: the process with their job's key has ended, or the service has another key. */
const giveUp = (sql: SqlClient.SqlClient, jobId: string) =>
  sql`UPDATE webhook_delivery SET state = 'given up', last_error = ${unreadable}
    WHERE job_id = ${jobId} AND state = 'pending'`

const openerOf = (seals: Seals["Service"], jobId: string) => (text: string) =>
  (seals.ofJob(jobId) ?? seals.secrets)?.open(text)

/** An error may name the receiver. */
const sealedError = (seals: Seals["Service"], jobId: string, error: string | null) =>
  error === null ? null : (seals.ofJob(jobId)?.seal(error) ?? error)

/** The size of a batch without its last document. */
const batchBytes = 256 * 1024

interface JobId {
  readonly job_id: string
}

const idsOf = (rows: ReadonlyArray<JobId>): ReadonlyArray<string> => rows.map(({ job_id }) => job_id)

type State = "pending" | "delivered" | "given up"

/** A pending delivery, with all that an attempt needs. */
export interface Delivery {
  readonly jobId: string
  readonly seq: number
  readonly teamId: string
  readonly id: string
  readonly type: string
  readonly success: boolean
  readonly error: string | null
  /** JSON text of an array. */
  readonly data: string
  /** JSON text of an object. */
  readonly metadata: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The number of earlier attempts. */
  readonly attempts: number
  /** Milliseconds since the epoch. */
  readonly dueAt: number
}

interface LogEntry {
  readonly seq: number
  readonly id: string
  readonly type: string
  readonly state: State
  readonly attempts: number
  readonly status: number | null
  readonly error: string | null
  readonly attemptedAt: number | null
  readonly dueAt: number
}

interface DeliveryRow {
  readonly job_id: string
  readonly seq: number
  readonly id: string
  readonly type: string
  readonly success: number
  readonly error: string | null
  readonly data: string | null
  readonly attempts: number
  readonly due_at: number
  readonly team_id: string
  readonly url: string
  readonly headers: string
  readonly metadata: string
  readonly document: string | null
}

interface WaitingRow {
  readonly team_id: string
  readonly url: string
  readonly due_at: number
}

/** Returns undefined if its URL cannot be decrypted. */
const toWaiting = ({ due_at, team_id, url }: WaitingRow, openSealed: Seal.Seal["open"]) => {
  const opened = Seal.isSealed(url) ? openSealed(url) : url
  return opened === undefined ? undefined : { teamId: team_id, url: opened, dueAt: Number(due_at) }
}

/** Returns undefined if a part of it cannot be decrypted. */
const toDelivery = (row: DeliveryRow, openSealed: Seal.Seal["open"]): Delivery | undefined => {
  const open = (text: string) => (Seal.isSealed(text) ? openSealed(text) : text)
  const url = open(row.url)
  const headers = open(row.headers)
  const metadata = open(row.metadata)
  const document = row.document === null ? undefined : open(row.document)
  const data = row.document === null ? Seal.openWithin(openSealed, row.data ?? "[]") : document && `[${document}]`
  const error = row.error === null ? null : open(row.error)
  if (url === undefined || headers === undefined || metadata === undefined) return undefined
  if (data === undefined || error === undefined) return undefined
  return {
    jobId: row.job_id,
    seq: row.seq,
    teamId: row.team_id,
    id: row.id,
    type: row.type,
    success: row.success === 1,
    error,
    data: data,
    metadata,
    url,
    headers: storedJson(headers), // as `Outbox.subscribe` wrote them
    attempts: row.attempts,
    dueAt: Number(row.due_at)
  }
}

/** The error of a delivery whose webhook can no longer be decrypted. */
const unreadable = "the webhook of the job cannot be decrypted: its key was lost"

interface LogRow {
  readonly seq: number
  readonly id: string
  readonly type: string
  readonly state: State
  readonly attempts: number
  readonly status_code: number | null
  readonly last_error: string | null
  readonly attempted_at: number | null
  readonly due_at: number
}

const toLogEntry = ({ status_code, last_error, attempted_at, due_at, ...entry }: LogRow): LogEntry => ({
  ...entry,
  status: status_code,
  error: last_error,
  attemptedAt: attempted_at === null ? null : Number(attempted_at),
  dueAt: Number(due_at)
})
