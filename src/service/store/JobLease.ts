/**
 * Which process owns a job and runs it, by the rule of `ProcessLease`.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { Job } from "#web/Job"
import type { StoreError } from "#web/StoreError"
import * as JobRow from "./JobRow.ts"
import * as keepOwn from "./keepOwn.ts"
import { ProcessLease } from "./ProcessLease.ts"
import { Seals } from "./Seals.ts"
import * as StorePort from "./StorePort.ts"
import * as sqlSuspects from "./sqlSuspects.ts"

export class JobLease extends Context.Service<
  JobLease,
  {
    /** Makes this process the owner of all unfinished jobs that no living process owns. Returns them, oldest first. */
    readonly take: Effect.Effect<ReadonlyArray<Job>, StoreError>
    /** Returns which of the running jobs this process has lost. Releases owned jobs that do not run any more (`keepOwn`). */
    readonly keep: (running: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, StoreError>
    /** Releases all jobs of this process after they have stopped, so that others need not wait for the end of its lease. */
    readonly release: Effect.Effect<void, StoreError>
  }
>()("millrace/service/JobLease") {
  static readonly layer = Layer.effect(
    JobLease,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const seals = yield* Seals
  const { free, owner, skipLocked } = yield* ProcessLease
  const own = sql`owner = ${owner} AND status = 'scraping'`

  const take = Effect.gen(function* () {
    const freeJobs = yield* sql<{ id: string }>`SELECT id FROM job WHERE status = 'scraping' AND ${free} ${skipLocked}`
    if (freeJobs.length === 0) return []
    const ids = freeJobs.map(({ id }) => id)
    // If a page was being read for the first time, this page is the suspect, and the job gets no attempt.
    const rows = yield* sql<JobRow.Row>`UPDATE job SET owner = ${owner},
        attempts = attempts + CASE WHEN ${sqlSuspects.hadFresh(sql)} THEN 0 ELSE 1 END
      WHERE ${sql.in("id", ids)} RETURNING *`
    yield* sqlSuspects.suspect(sql, ids)
    return rows.map((row) => JobRow.ofRow(row, seals)).toSorted((a, b) => a.createdAt - b.createdAt)
  }).pipe(sql.withTransaction)

  /** Releases jobs. A process that can do this was not ended by a page, so no page becomes a suspect. */
  const leave = Effect.fnUntraced(function* (which: Fragment) {
    yield* sql`UPDATE crawl_url SET reading = 0 WHERE reading = 1 AND job_id IN (SELECT id FROM job WHERE ${which})`
    yield* sql`UPDATE job SET owner = '', attempts = attempts - 1 WHERE ${which}`
  }, sql.withTransaction)

  return StorePort.fromSql<JobLease["Service"]>({
    take,
    keep: keepOwn.of({
      own: Effect.map(sql<{ id: string }>`SELECT id FROM job WHERE ${own}`, (rows) => rows.map(({ id }) => id)),
      release: (ids) => leave(sql`${own} AND ${sql.in("id", ids)}`)
    }),
    release: leave(own)
  })
})
