/**
 * What teams have used, and the idempotency keys they have sent.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { StoreError } from "../../crawler/StoreError.ts"
import * as StorePort from "./StorePort.ts"

export interface MonthUsed {
  /** As "2026-11", in UTC. */
  readonly month: string
  readonly credits: number
}

export class AccountStore extends Context.Service<
  AccountStore,
  {
    readonly used: (teamId: string) => Effect.Effect<number, StoreError>
    readonly byMonth: (teamId: string) => Effect.Effect<ReadonlyArray<MonthUsed>, StoreError>
    readonly charge: (teamId: string, credits: number) => Effect.Effect<void, StoreError>
    /** Remembers a key for the job that it started. What it gives is the job that the key started before, if any. */
    readonly claim: (teamId: string, key: string, jobId: string) => Effect.Effect<string | undefined, StoreError>
    /** Forgets keys that were sent before this time. */
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

  const claim = Effect.fnUntraced(function* (teamId: string, key: string, jobId: string) {
    const now = yield* Clock.currentTimeMillis
    yield* sql`INSERT INTO idempotency_key (team_id, idempotency_key, job_id, created_at)
      VALUES (${teamId}, ${key}, ${jobId}, ${now}) ON CONFLICT (team_id, idempotency_key) DO NOTHING`
    const [row] = yield* sql<{ job_id: string }>`
      SELECT job_id FROM idempotency_key WHERE team_id = ${teamId} AND idempotency_key = ${key}`
    return row === undefined || row.job_id === jobId ? undefined : row.job_id
  }, sql.withTransaction)

  return StorePort.make<AccountStore["Service"]>({
    used: (teamId) =>
      Effect.map(
        sql<{ used: number | null }>`SELECT sum(credits) AS used FROM team_usage WHERE team_id = ${teamId}`,
        ([row]) => Number(row?.used ?? 0)
      ),
    byMonth: (teamId) =>
      Effect.map(
        sql<MonthUsed>`SELECT month, credits FROM team_usage WHERE team_id = ${teamId} ORDER BY month`,
        (rows) => rows.map(({ month, credits }) => ({ month, credits: Number(credits) }))
      ),
    charge: (teamId, credits) => charge(sql, teamId, credits),
    claim,
    expire: (before) => Effect.asVoid(sql`DELETE FROM idempotency_key WHERE created_at < ${before}`)
  })
})

/** Writes down what a team has used, by calendar month (UTC). */
export const charge = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, teamId: string, credits: number) {
  const month = monthOf(yield* Clock.currentTimeMillis)
  yield* sql`INSERT INTO team_usage (team_id, month, credits) VALUES (${teamId}, ${month}, ${credits})
    ON CONFLICT (team_id, month) DO UPDATE SET credits = team_usage.credits + excluded.credits`
})

/** As "2026-11". */
export const monthOf = (millis: number): string => new Date(millis).toISOString().slice(0, 7)
