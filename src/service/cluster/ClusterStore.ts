/**
 * What the processes of one Postgres know of each other: the secret that they share, and what each says of itself.
 */
import { randomBytes } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { version } from "../../crawler/places/exchangeBytes.ts"
import { StoreError } from "../../crawler/StoreError.ts"
import { forgottenMillis, ProcessLease } from "../store/ProcessLease.ts"
import * as StorePort from "../store/StorePort.ts"
import { secretBytes } from "./sealedBytes.ts"

/** What one process says of itself. */
export const Report = Schema.Struct({
  address: Schema.String,
  version: Schema.Number,
  /** Hosts that live there. */
  hosts: Schema.Number,
  /** Exchanges that wait or are under way there, and how long the oldest of them has. */
  waiting: Schema.Number,
  oldestSeconds: Schema.Number,
  requests: Schema.Number,
  /** Hosts that have come to live there since its start. */
  arrivals: Schema.Number,
  /** The hosts with most that waits. */
  busiest: Schema.Array(Schema.Struct({ host: Schema.String, waiting: Schema.Number, oldestSeconds: Schema.Number })),
  /** Hosts for which something waits, and which had no request for a minute. */
  silent: Schema.Array(Schema.String)
})
export type Report = typeof Report.Type

/** A report, and how old it is by the clock of the database. */
export interface Reported {
  readonly report: Report
  readonly ageSeconds: number
}

export interface ClusterStore {
  /** Takes one request off a team's minute. What it gives is how many seconds to wait; 0: it was taken. */
  readonly admit: (teamId: string, perMinute: number) => Effect.Effect<number, StoreError>
  /** Keeps a pause of a host, from now on. An earlier pause that ends later stays as it is. */
  readonly pause: (host: string, millis: number) => Effect.Effect<void, StoreError>
  /** How long the host has to be left alone, from now on; 0: it may be asked. */
  readonly pausedMillis: (host: string) => Effect.Effect<number, StoreError>
  /** Fails where processes serve the database whose messages this one does not understand. */
  readonly alone: Effect.Effect<void, StoreError>
  /** Made by the first process. */
  readonly secret: Effect.Effect<Buffer, StoreError>
  /** Reports now, and with each sign of life of this process. */
  readonly report: (own: Effect.Effect<Report>) => Effect.Effect<void, StoreError>
  /** A process that ends says so: it does nothing any more, and owns nothing. */
  readonly withdraw: Effect.Effect<void, StoreError>
  /** Of all processes; one that has said nothing for a minute is forgotten. */
  readonly reports: Effect.Effect<ReadonlyArray<Reported>, StoreError>
}

const parse = Schema.decodeUnknownEffect(Schema.fromJsonString(Report))

export const make = Effect.gen(function* () {
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
    // A process of a library has a lease too, and no address.
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
        `${others.map(({ address }) => address || "a process without an address").join(", ")} serve it with version ${other.version} of the messages between ` +
        `processes, and this is version ${version}: end those first`,
      isRetryable: false,
      cause: undefined
    })
  })

  return StorePort.make<ClusterStore>({
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

/** A process says every two seconds that it is there. */
const servingMillis = 10_000
const minuteMillis = 60_000
