/**
 * `JobStore` over SQL.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { withoutNul } from "#base/withoutNul"
import { madeBefore } from "#contract/uuid7"
import * as Job from "#web/Job"
import { JobStore } from "#web/JobStore"
import { charge } from "./AccountStore.ts"
import * as Jobs from "./JobRow.ts"
import { maskedRequest, storedJson } from "./jsonColumns.ts"
import * as Outbox from "./Outbox.ts"
import { ProcessLease } from "./ProcessLease.ts"
import { Seals } from "./Seals.ts"
import * as StorePort from "./StorePort.ts"
import { sealedSecrets } from "./secretFields.ts"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { forAll, owner } = yield* ProcessLease
  const seals = yield* Seals
  const jobOf = (row: Jobs.Row) => Jobs.ofRow(row, seals)
  const { opened, sealed } = texts(seals)

  const warn = Effect.fnUntraced(function* (id: string, warning: string) {
    // The row is locked, so that no other warning is added meanwhile.
    const [job] = yield* sql<{
      warning: string | null
    }>`UPDATE job SET queued = queued WHERE id = ${id} RETURNING warning`
    if (job === undefined) return
    const text = Job.withWarning(opened(id, job.warning), warning)
    yield* sql`UPDATE job SET warning = ${withoutNul(sealed(id, text))} WHERE id = ${id}`
  }, sql.withTransaction)

  const askToStop = Effect.fnUntraced(function* (id: string) {
    const now = yield* Clock.currentTimeMillis
    const stopped = yield* sql`UPDATE job SET stop_asked_at = ${now}
      WHERE id = ${id} AND status = 'scraping' AND stop_asked_at IS NULL RETURNING id`
    if (stopped.length > 0) return "asked" as const
    const rows = yield* sql`SELECT id FROM job WHERE id = ${id} AND status = 'scraping'`
    return rows.length > 0 ? ("asked before" as const) : ("ended" as const)
  }, sql.withTransaction)

  const remove = Effect.fnUntraced(function* (before: number) {
    const ended = sql`SELECT id FROM job WHERE completed_at < ${before}`
    for (const table of ["crawl_place", "crawl_spelling", "crawl_page", "crawl_error", "crawl_url", "job_result"]) {
      yield* sql`DELETE FROM ${sql(table)} WHERE job_id IN (${ended})`
    }
    yield* sql`DELETE FROM job WHERE completed_at < ${before}`
  }, sql.withTransaction)

  /** Forgets the seals of jobs that any process has removed. Skips new jobs: their rows may not be committed yet. */
  const forgetSeals = Effect.fnUntraced(function* (before: number) {
    const old = seals.jobs().filter(madeBefore(before))
    if (old.length === 0) return
    const rows = yield* sql<{ id: string }>`SELECT id FROM job WHERE sealed = 1`
    const ids = new Set(rows.map(({ id }) => id))
    seals.forget(old.filter((id) => !ids.has(id)))
  })

  return StorePort.fromSql<JobStore["Service"]>({
    create: ({ createdAt, id, isFree, isSealed = false, kind, request, status, teamId, url }) => {
      const stored = isSealed ? countsOf(request) : sealedSecrets(request, seals)
      if (isSealed) seals.begin(id)
      return Effect.asVoid(sql`INSERT INTO job (id, kind, team_id, url, request, status, created_at, free, sealed, owner)
        VALUES (${id}, ${kind}, ${teamId}, ${isSealed ? "" : withoutNul(url)}, ${stored}, ${status}, ${createdAt},
          ${isFree === true ? 1 : 0}, ${isSealed ? 1 : 0}, ${owner})`)
    },
    get: (id) =>
      Effect.map(sql<Jobs.Row>`SELECT * FROM job WHERE id = ${id}`, (rows) =>
        Option.map(Option.fromUndefinedOr(rows[0]), jobOf)
      ),
    active: (teamId, kind) =>
      Effect.map(
        sql<Jobs.Row>`SELECT * FROM job
          WHERE team_id = ${teamId} AND kind = ${kind} AND status = 'scraping' ORDER BY created_at`,
        (rows) => rows.map(jobOf)
      ),
    finish: finish({ sql, owner, opened, sealed }),
    result: (id) =>
      Effect.map(sql<{ result: string }>`SELECT result FROM job_result WHERE job_id = ${id}`, ([row]) =>
        Option.fromUndefinedOr(row?.result)
      ),
    warn,
    askToStop,
    isAskedToStop: (id) =>
      Effect.map(sql`SELECT id FROM job WHERE id = ${id} AND stop_asked_at IS NOT NULL`, (rows) => rows.length > 0),
    expire: (before) => Effect.andThen(forAll(remove(before)), forgetSeals(before))
  })
})

interface Base extends ReturnType<typeof texts> {
  readonly sql: SqlClient.SqlClient
  /** How this process is called in the database. */
  readonly owner: string
}

const finish = ({ opened, owner, sealed, sql }: Base) =>
  Effect.fnUntraced(function* (id: string, own: Job.End, by: "owner" | "anybody") {
    const now = yield* Clock.currentTimeMillis
    // The row is locked first, so that no request to stop arrives between this read and the end.
    const [job] = yield* sql<{ stop_asked_at: number | null; warning: string | null }>`UPDATE job SET queued = queued
      WHERE id = ${id} AND status = 'scraping' RETURNING stop_asked_at, warning`
    const end = job?.stop_asked_at == null ? own : (own.ifAskedToStop ?? own)
    const { status, result, credits = 0 } = end
    const error = end.error === undefined ? undefined : sealed(id, end.error)
    const warnings = [end.warning, opened(id, job?.warning)].filter((text) => text != null)
    const warning = warnings.length === 0 ? null : sealed(id, warnings.join("; "))
    const [ended] = yield* sql<{ team_id: string; free: number }>`UPDATE job
      SET status = ${status}, completed_at = ${now}, error = ${withoutNul(error)}, left_over = left_over + queued, queued = 0,
        credits_used = credits_used + ${credits}, warning = ${withoutNul(warning)}
      WHERE id = ${id} AND status = 'scraping' ${by === "owner" ? sql`AND owner = ${owner}` : sql``}
      RETURNING team_id, free`
    if (ended === undefined) return false
    yield* forgetHeaders(sql, id)
    if (credits !== 0 && ended.free === 0) yield* charge(sql, ended.team_id, credits)
    yield* sql`DELETE FROM credit_hold WHERE id = ${id}`
    if (result !== undefined) yield* sql`INSERT INTO job_result (job_id, result) VALUES (${id}, ${withoutNul(result)})`
    yield* sql`UPDATE crawl_url SET state = 'left' WHERE job_id = ${id} AND state = 'queued'`
    yield* Outbox.jobEnded(sql, id, { ...end, ...(error === undefined ? {} : { error }), at: now })
    if (end.also !== undefined) yield* end.also
    return true
  }, sql.withTransaction)

/** Masks the headers in the request of a job: after its end, no one needs them. */
const forgetHeaders = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, id: string) {
  const [row] = yield* sql<{ request: string }>`SELECT request FROM job WHERE id = ${id}`
  const masked = row === undefined ? undefined : maskedRequest(row.request)
  if (masked !== undefined) yield* sql`UPDATE job SET request = ${masked} WHERE id = ${id}`
})

/** Errors and warnings of a job may name its pages, so they are sealed with its key. */
const texts = (seals: Seals["Service"]) => ({
  sealed: (id: string, text: string): string => seals.ofJob(id)?.seal(text) ?? text,
  opened: (id: string, text: string | null | undefined): string | null =>
    text == null ? null : (seals.ofJob(id)?.open(text) ?? text)
})

/** What is stored of the request of a sealed job: its limit, which the status needs. */
const countsOf = (request: string): string => {
  const { limit } = storedJson<{ readonly limit?: number }>(request) // as `Jobs.begin` wrote it
  return JSON.stringify({ zeroDataRetention: true, ...(limit === undefined ? {} : { limit }) })
}

export const layer = Layer.effect(JobStore, make)
