/**
 * What the processes of one Postgres share in it: a secret, a report by each, pauses of hosts, and request rates of teams.
 */
import { randomBytes } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { version } from "#web/exchangeBytes"
import { StoreError } from "#web/StoreError"
import { forgottenMillis, ProcessLease } from "../store/ProcessLease.ts"
import * as StorePort from "../store/StorePort.ts"
import { secretBytes } from "./sealedBytes.ts"

/** What one process reports of itself. */
export const Report = Schema.Struct({
  address: Schema.String,
  version: Schema.Number,
  /** How many hosts live there. */
  hosts: Schema.Number,
  /** How many exchanges wait or are in flight there, and the age of the oldest. */
  waiting: Schema.Number,
  oldestSeconds: Schema.Number,
  requests: Schema.Number,
  /** How many hosts have moved there since its start. */
  arrivals: Schema.Number,
  /** The hosts with the most waiting exchanges. */
  busiest: Schema.Array(Schema.Struct({ host: Schema.String, waiting: Schema.Number, oldestSeconds: Schema.Number })),
  /** Hosts that have waiting exchanges, and no request for a minute. */
  silent: Schema.Array(Schema.String)
})
export type Report = typeof Report.Type

/** A report, and its age by the clock of the database. */
export interface Reported {
  readonly report: Report
  readonly ageSeconds: number
}

export interface ClusterStore {
  /** Counts one request against a team's rate. Returns 0 if it may start, or else the seconds to wait. */
  readonly admit: (teamId: string, perMinute: number) => Effect.Effect<number, StoreError>
  /** Stores a pause of a host that starts now. An earlier pause that ends later stays. */
  readonly pause: (host: string, millis: number) => Effect.Effect<void, StoreError>
  /** The rest of the host's pause; 0: there is none. */
  readonly pausedMillis: (host: string) => Effect.Effect<number, StoreError>
  /** Fails if processes with another version of the messages serve this database. */
  readonly alone: Effect.Effect<void, StoreError>
  /** The shared secret; the first process makes it. */
  readonly secret: Effect.Effect<Buffer, StoreError>
  /** Reports now, and whenever this process renews its lease. */
  readonly report: (own: Effect.Effect<Report>) => Effect.Effect<void, StoreError>
  /** Ends the lease of this process: from then on it owns nothing. */
  readonly withdraw: Effect.Effect<void, StoreError>
  /** The reports of all processes, without those that are too old (`forgottenMillis`). */
  readonly reports: Effect.Effect<ReadonlyArray<Reported>, StoreError>
}

const parse = Schema.decodeUnknownEffect(Schema.fromJsonString(Report))

export const open = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const lease = yield* ProcessLease
  const now = sql.literal("(extract(epoch FROM clock_timestamp()) * 1000)::bigint")

  const secret = Effect.gen(function* () {
    const own = randomBytes(secretBytes).toString("base64")
    yield* sql`INSERT INTO cluster_secret (id, secret) VALUES (1, ${own}) ON CONFLICT (id) DO NOTHING`
    const [row] = yield* sql<{ secret: string }>`SELECT secret FROM cluster_secret WHERE id = 1`
    return Buffer.from(row?.secret ?? own, "base64")
  })

  const report = (own: Effect.Effect<Report>) =>
    lease.say(Effect.map(own, (report) => ({ address: report.address, report: JSON.stringify(report) })))

  /** A bucket of tokens that is filled again within a minute, by the clock of the database. */
  const admit = Effect.fnUntraced(function* (teamId: string, perMinute: number) {
    const filled = sql`LEAST(${perMinute}::float8, team_rate.tokens
      + GREATEST(0, ${now} - team_rate.at) * ${perMinute}::float8 / ${minuteMillis}::float8)`
    const taken = yield* sql`INSERT INTO team_rate (team_id, tokens, at) VALUES (${teamId}, ${perMinute - 1}, ${now})
      ON CONFLICT (team_id) DO UPDATE SET tokens = ${filled} - 1, at = ${now} WHERE ${filled} >= 1 RETURNING tokens`
    if (taken.length > 0) return 0
    const [row] = yield* sql<{ tokens: number }>`SELECT ${filled} AS tokens FROM team_rate WHERE team_id = ${teamId}`
    return (Math.max(0, 1 - Number(row?.tokens ?? 0)) / perMinute) * 60 || 1
  })

  const pause = Effect.fnUntraced(function* (host: string, millis: number) {
    yield* sql`DELETE FROM host_pause WHERE until < ${now}`
    yield* sql`INSERT INTO host_pause (host, until) VALUES (${host}, ${now} + ${Math.ceil(millis)}::bigint)
      ON CONFLICT (host) DO UPDATE SET until = GREATEST(host_pause.until, excluded.until)`
  })

  const pausedMillis = Effect.fnUntraced(function* (host: string) {
    const [row] = yield* sql<{ left: number }>`SELECT until - ${now} AS left FROM host_pause WHERE host = ${host}`
    return Math.max(0, Number(row?.left ?? 0))
  })

  const reports = Effect.gen(function* () {
    // A process that uses the library has a lease too, but no address.
    const rows = yield* sql<{ report: string; age: number }>`
      SELECT report, ${now} - reported_at AS age FROM cluster_process
      WHERE version = ${version} AND address <> '' AND reported_at >= ${now} - ${forgottenMillis} ORDER BY address`
    return yield* Effect.forEach(rows, ({ age, report }) =>
      Effect.map(
        Effect.orDie(parse(report)), // written by `report` of this version
        (own): Reported => ({ report: own, ageSeconds: Math.max(0, Number(age)) / 1000 })
      )
    )
  })

  const alone = Effect.gen(function* () {
    const others = yield* sql<{ address: string; version: number }>`SELECT address, version FROM cluster_process
      WHERE version <> ${version} AND reported_at > ${now} - ${servingMillis} ORDER BY address`
    const [other] = others
    if (other === undefined) return
    return yield* new StoreError({
      message:
        `this database is served by ${others.map(({ address }) => address || "a process without an address").join(", ")} ` +
        `with version ${other.version} of the messages between processes, and this process has version ${version}: ` +
        "stop the others first",
      isRetryable: false,
      cause: undefined
    })
  })

  return StorePort.fromSql<ClusterStore>({
    admit,
    alone,
    pause,
    pausedMillis,
    secret,
    report,
    withdraw: lease.end,
    reports
  })
})

/** How long after its last report a process counts as serving: it reports every two seconds. */
const servingMillis = 10_000
const minuteMillis = 60_000
