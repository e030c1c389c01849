/**
 * Which process runs a job: the one whose name is in the job's row.
 *
 * The law: every write of a run checks that name in its own transaction, so a process that has lost a job can add
 * nothing to it. On Postgres the name holds for the time of a lease, which its owner renews while the job runs; when a
 * lease has ended, by the database's own clock, any process may take the job. SQLite has one process, so there every
 * earlier name is dead, and nothing is renewed. The same rule applies to the events for a job's webhook
 * (`WebhookStore`).
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { uuid7 } from "../../api/uuid7.ts"
import type { Job } from "../../crawler/crawl/Job.ts"
import type { StoreError } from "../../crawler/StoreError.ts"
import { idleTransactionMillis } from "../../sql/client.ts"
import * as JobRow from "./JobRow.ts"
import { Seals } from "./Seals.ts"
import * as StorePort from "./StorePort.ts"
import * as sqlSuspects from "./sqlSuspects.ts"

/** How long a job stays with a process that gives no sign, and how often a living one gives it. */
export const leaseMillis = idleTransactionMillis
export const renewMillis = 2000

export class JobLease extends Context.Service<
  JobLease,
  {
    /** This process, as rows name it. */
    readonly owner: string
    /** Whether other processes may be at work on the same database. */
    readonly isShared: boolean
    /** The end of a lease that begins now, as SQL. */
    readonly until: Fragment
    /** Whether nobody holds a row, as SQL; and what a search for such rows ends with. */
    readonly free: Fragment
    readonly skipLocked: Fragment
    /** Makes this process the owner of every job under way that nobody holds, oldest first. */
    readonly take: Effect.Effect<ReadonlyArray<Job>, StoreError>
    /** Holds these jobs on. What it gives are those that still are this process's and under way. */
    readonly renew: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, StoreError>
    /** Lets jobs go that this process still holds and runs no more, so that nobody has to wait for their leases to end. */
    readonly letGo: (ids: ReadonlyArray<string>) => Effect.Effect<void, StoreError>
    /** Lets all jobs go. */
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
  const owner = uuid7()
  const terms = sql.onDialectOrElse({
    pg: () => {
      const now = sql.literal("(extract(epoch FROM clock_timestamp()) * 1000)::bigint")
      return {
        isShared: true,
        until: sql`${now} + ${leaseMillis}`,
        free: sql`lease_until < ${now}`,
        // Two processes that look at once share out what there is.
        skipLocked: sql.literal("FOR UPDATE SKIP LOCKED")
      }
    },
    orElse: () => ({ isShared: false, until: sql`0`, free: sql`owner <> ${owner}`, skipLocked: sql.literal("") })
  })

  const { until, free, skipLocked } = terms

  const take = Effect.gen(function* () {
    const found = yield* sql<{ id: string }>`SELECT id FROM job WHERE status = 'scraping' AND ${free} ${skipLocked}`
    if (found.length === 0) return []
    const ids = found.map(({ id }) => id)
    // A job is not to blame where a page was being read for the first time: that page is a suspect from now on.
    const rows = yield* sql<JobRow.Row>`UPDATE job SET owner = ${owner}, lease_until = ${until},
        attempts = attempts + CASE WHEN ${sqlSuspects.hadFresh(sql)} THEN 0 ELSE 1 END
      WHERE ${sql.in("id", ids)} RETURNING *`
    yield* sqlSuspects.suspect(sql, ids)
    return rows.map((row) => JobRow.ofRow(row, seals)).toSorted((a, b) => a.createdAt - b.createdAt)
  }).pipe(sql.withTransaction)

  const renew = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
    if (ids.length === 0) return new Set<string>()
    const rows = yield* sql<{ id: string }>`UPDATE job SET lease_until = ${until}
      WHERE owner = ${owner} AND status = 'scraping' AND ${sql.in("id", ids)} RETURNING id`
    return new Set(rows.map(({ id }) => id))
  })

  /** A process that lets go by itself was not ended by what it read. */
  const leave = Effect.fnUntraced(function* (own: Fragment) {
    yield* sql`UPDATE crawl_url SET reading = 0 WHERE reading = 1 AND job_id IN (SELECT id FROM job WHERE ${own})`
    yield* sql`UPDATE job SET lease_until = 0, attempts = attempts - 1 WHERE ${own}`
  }, sql.withTransaction)
  const own = sql`owner = ${owner} AND status = 'scraping'`

  const port = StorePort.make<Pick<JobLease["Service"], "letGo" | "release" | "renew" | "take">>({
    take,
    renew,
    letGo: (ids) => (ids.length === 0 ? Effect.void : leave(sql`${own} AND ${sql.in("id", ids)}`)),
    release: leave(own)
  })
  return JobLease.of({ owner, ...terms, ...port })
})
