/**
 * The credits that teams have used and reserved, and the idempotency keys that they have sent.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { StoreError } from "#web/StoreError"
import { ProcessLease } from "./ProcessLease.ts"
import * as StorePort from "./StorePort.ts"

interface MonthUsed {
  /** "2026-11", in UTC. */
  readonly month: string
  readonly credits: number
}

interface Hold {
  readonly id: string
  readonly teamId: string
  /** Added to what the id has reserved already. */
  readonly credits: number
  /** The milliseconds after which the reservation ends by itself. */
  readonly millis: number
}

interface JobHold extends Omit<Hold, "id" | "millis"> {
  readonly jobId: string
  readonly isFirst: boolean
}

export class AccountStore extends Context.Service<
  AccountStore,
  {
    readonly used: (teamId: string) => Effect.Effect<number, StoreError>
    readonly byMonth: (teamId: string) => Effect.Effect<ReadonlyArray<MonthUsed>, StoreError>
    readonly charge: (teamId: string, credits: number) => Effect.Effect<void, StoreError>
    /** Reserves credits under an id. Returns false if fewer of `plan` are neither used nor reserved. */
    readonly hold: (hold: Hold, plan: number) => Effect.Effect<boolean, StoreError>
    /** The same under the id of a job that this process runs, until its end. `isFirst`: replaces an earlier reservation. */
    readonly holdForJob: (hold: JobHold, plan: number) => Effect.Effect<boolean, StoreError>
    /** Ends the reservation of an id, and charges `credits`. */
    readonly settle: (teamId: string, id: string, credits: number) => Effect.Effect<void, StoreError>
    /** The credits that are reserved now. */
    readonly heldCredits: (teamId: string) => Effect.Effect<number, StoreError>
    /** Stores an idempotency key with the job that it starts. Returns the job that the key started before, if any. */
    readonly claim: (teamId: string, key: string, jobId: string) => Effect.Effect<string | undefined, StoreError>
    /** Deletes keys that were sent, and reservations that ended, before this time. */
    readonly expire: (before: number) => Effect.Effect<void, StoreError>
  }
>()("millrace/service/AccountStore") {
  static readonly layer = Layer.effect(
    AccountStore,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { forAll, owner } = yield* ProcessLease

  const claim = Effect.fnUntraced(function* (teamId: string, key: string, jobId: string) {
    const now = yield* Clock.currentTimeMillis
    yield* sql`INSERT INTO idempotency_key (team_id, idempotency_key, job_id, created_at)
      VALUES (${teamId}, ${key}, ${jobId}, ${now}) ON CONFLICT (team_id, idempotency_key) DO NOTHING`
    const [row] = yield* sql<{ job_id: string }>`
      SELECT job_id FROM idempotency_key WHERE team_id = ${teamId} AND idempotency_key = ${key}`
    return row === undefined || row.job_id === jobId ? undefined : row.job_id
  }, sql.withTransaction)

  const used = (teamId: string) =>
    Effect.map(
      sql<{ used: number | null }>`SELECT sum(credits) AS used FROM team_usage WHERE team_id = ${teamId}`,
      ([row]) => Number(row?.used ?? 0)
    )

  const heldCredits = Effect.fnUntraced(function* (teamId: string) {
    const now = yield* Clock.currentTimeMillis
    const [row] = yield* sql<{ held: number | null }>`
      SELECT sum(credits) AS held FROM credit_hold WHERE team_id = ${teamId} AND until > ${now}`
    return Number(row?.held ?? 0)
  })

  const hold = Effect.fnUntraced(function* ({ credits, id, millis, teamId }: Hold, plan: number) {
    // The team's row is the lock: two reservations do not both see the last credits.
    yield* charge(sql, teamId, 0)
    if (plan - (yield* used(teamId)) - (yield* heldCredits(teamId)) < credits) return false
    const until = (yield* Clock.currentTimeMillis) + millis
    yield* sql`INSERT INTO credit_hold (id, team_id, credits, until) VALUES (${id}, ${teamId}, ${credits}, ${until})
      ON CONFLICT (id) DO UPDATE SET credits = credit_hold.credits + excluded.credits, until = excluded.until`
    return true
  }, sql.withTransaction)

  const holdForJob = Effect.fnUntraced(function* ({ isFirst, jobId, ...more }: JobHold, plan: number) {
    const own = yield* sql`SELECT id FROM job WHERE id = ${jobId} AND status = 'scraping' AND owner = ${owner}`
    if (own.length === 0) return yield* Effect.interrupt
    yield* charge(sql, more.teamId, 0)
    if (isFirst) yield* sql`DELETE FROM credit_hold WHERE id = ${jobId}`
    return yield* hold({ ...more, id: jobId, millis: foreverMillis }, plan)
  }, sql.withTransaction)

  const settle = Effect.fnUntraced(function* (teamId: string, id: string, credits: number) {
    yield* charge(sql, teamId, credits)
    yield* sql`DELETE FROM credit_hold WHERE id = ${id}`
  }, sql.withTransaction)

  const expire = Effect.fnUntraced(function* (before: number) {
    yield* sql`DELETE FROM idempotency_key WHERE created_at < ${before}`
    yield* sql`DELETE FROM credit_hold WHERE until < ${before}`
  }, forAll)

  return StorePort.fromSql<AccountStore["Service"]>({
    used,
    heldCredits,
    hold,
    holdForJob,
    settle,
    byMonth: (teamId) =>
      Effect.map(
        sql<MonthUsed>`SELECT month, credits FROM team_usage WHERE team_id = ${teamId} ORDER BY month`,
        (rows) => rows.map(({ month, credits }) => ({ month, credits: Number(credits) }))
      ),
    charge: (teamId, credits) => charge(sql, teamId, credits),
    claim,
    expire
  })
})

/** The reservation of a job ends only with the job. */
const foreverMillis = 100 * 365 * 24 * 60 * 60 * 1000

/** Adds to the credits that a team has used, by calendar month (UTC). */
export const charge = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, teamId: string, credits: number) {
  yield* use(sql, teamId, monthOf(yield* Clock.currentTimeMillis), credits)
})

/**
 * Charges a team for a job, and reduces the reservation of the job. `isHeld`: whether there is one. The row of the team is
 * locked first, as in `hold`: Postgres executes the statement in WITH after the main statement.
 */
export const chargeJob = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { credits, isHeld, jobId, teamId }: Charged
) {
  const used = use(sql, teamId, monthOf(yield* Clock.currentTimeMillis), credits)
  const settlement = sql`UPDATE credit_hold SET credits = credits - ${credits} WHERE id = ${jobId}`
  const isOne = isHeld && sql.onDialectOrElse({ pg: () => true, orElse: () => false })
  yield* isOne ? sql`WITH held AS (${settlement}) ${used}` : used
  if (isHeld && !isOne) yield* settlement
})

interface Charged {
  readonly teamId: string
  readonly jobId: string
  readonly credits: number
  readonly isHeld: boolean
}

const use = (sql: SqlClient.SqlClient, teamId: string, month: string, credits: number) =>
  sql`INSERT INTO team_usage (team_id, month, credits) VALUES (${teamId}, ${month}, ${credits})
    ON CONFLICT (team_id, month) DO UPDATE SET credits = team_usage.credits + excluded.credits`

/** "2026-11". */
export const monthOf = (millis: number): string => new Date(millis).toISOString().slice(0, 7)
