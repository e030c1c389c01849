/**
 * The lease of this process: one row, which it writes every two seconds while it lives (a sign), whatever it runs.
 *
 * Jobs, checks of monitors and webhooks name their owner. The laws: a row is free if its owner has no lease, or an expired
 * one by the clock of the database; a process that takes a row writes its own name into it; and every write of a run checks
 * this name in the same transaction, so a process that has lost a row cannot add to it. After its lease has expired, a
 * process first checks what it still owns (`afterEachSign`). SQLite has one process: every earlier owner is dead, and no
 * lease is written.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as PubSub from "effect/PubSub"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { idleTransactionMillis } from "#base/sqlClient"
import { uuid7 } from "#contract/uuid7"
import { version } from "#web/exchangeBytes"
import type { StoreError } from "#web/StoreError"
import * as StorePort from "./StorePort.ts"

/** How long a process without a sign keeps what it owns, and how often a living one gives a sign. */
const leaseMillis = idleTransactionMillis
const signMillis = 2000

/** What a process writes of itself with each sign: its address for other processes, and a report as JSON text. */
interface ProcessReport {
  readonly address: string
  readonly report: string
}

export class ProcessLease extends Context.Service<
  ProcessLease,
  {
    /** The name of this process in rows. */
    readonly owner: string
    /** Whether other processes may use the same database. */
    readonly isShared: boolean
    /** SQL conditions: `free`: no living process owns the row; `skipLocked`: ends a query for such rows. */
    readonly free: Fragment
    readonly skipLocked: Fragment
    /** Whether the database has answered lately: always, if it is a file. Asks nothing. */
    readonly isHeard: () => boolean
    /** Gives a sign. Returns false if the lease had expired: others may have taken what this process owned. */
    readonly sign: Effect.Effect<boolean, StoreError>
    /**
     * Until the scope closes, runs `look` after each sign (what this process still owns), then `takeUp` (what is free). If
     * the lease had expired, it runs only `look`: after an outage of the database, the other processes need time for their
     * next sign too. Does nothing if the database is not shared.
     */
    readonly afterEachSign: (
      look: Effect.Effect<void, StoreError>,
      takeUp: Effect.Effect<void, StoreError>
    ) => Effect.Effect<void, never, Scope.Scope>
    /** Writes this now and with each sign. Deletes the lease of any process that had the address before: it is dead. */
    readonly say: (statement: Effect.Effect<ProcessReport>) => Effect.Effect<void, StoreError>
    /** Runs work that one process does for all, if this is the oldest living process. */
    readonly forAll: <E>(work: Effect.Effect<void, E>) => Effect.Effect<void, E | StoreError>
    /** Ends the lease for good: all that this process owns is free at once. */
    readonly end: Effect.Effect<void, StoreError>
  }
>()("millrace/service/ProcessLease") {
  static readonly layer = Layer.effect(
    ProcessLease,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const owner = uuid7()
  return yield* sql.onDialectOrElse({ pg: () => shared(sql, owner), orElse: () => Effect.succeed(alone(sql, owner)) })
})

const alone = (sql: SqlClient.SqlClient, owner: string) =>
  ProcessLease.of({
    owner,
    isShared: false,
    free: sql`owner <> ${owner}`,
    skipLocked: sql.literal(""),
    isHeard: () => true,
    sign: Effect.succeed(true),
    afterEachSign: () => Effect.void,
    say: () => Effect.void,
    forAll: (work) => work,
    end: Effect.void
  })

const shared = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, owner: string) {
  const now = sql.literal("(extract(epoch FROM clock_timestamp()) * 1000)::bigint")
  const isAlive = sql`reported_at >= ${now} - ${leaseMillis}`
  let saying: Effect.Effect<ProcessReport> = Effect.succeed({ address: "", report: "{}" })

  const sign = Effect.gen(function* () {
    const { address, report } = yield* saying
    const columns = sql`address = ${address}, report = ${report}, reported_at = ${now}`
    const lasted =
      yield* sql`UPDATE cluster_process SET ${columns} WHERE owner = ${owner} AND ${isAlive} RETURNING owner`
    if (lasted.length > 0) return true
    yield* sql`INSERT INTO cluster_process (owner, address, version, report, reported_at)
      VALUES (${owner}, ${address}, ${version}, ${report}, ${now}) ON CONFLICT (owner) DO UPDATE SET ${columns}`
    return false
  })

  const signs = yield* PubSub.sliding<boolean>(1)
  let heardAt = performance.now()
  /** Ignores failures: while the database cannot be reached, nothing is published, and the next sign shows that it is back. */
  const signOnce = sign.pipe(
    Effect.tap((lasted) => {
      heardAt = performance.now()
      return lasted ? Effect.void : Effect.logWarning(ended)
    }),
    Effect.flatMap((lasted) => PubSub.publish(signs, lasted)),
    Effect.timeoutOption(leaseMillis / 4),
    Effect.ignore
  )

  yield* sql`DELETE FROM cluster_process WHERE reported_at < ${now} - ${forgottenMillis}`
  yield* sign
  const signing = yield* Effect.forkScoped(Effect.forever(Effect.delay(signOnce, signMillis)))
  const end: Effect.Effect<void, SqlError> = Effect.andThen(
    Fiber.interrupt(signing),
    sql`DELETE FROM cluster_process WHERE owner = ${owner}`
  )
  yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeoutOption(end, signMillis)))

  const afterEachSign: ProcessLease["Service"]["afterEachSign"] = Effect.fnUntraced(function* (look, takeUp) {
    const given = yield* PubSub.subscribe(signs)
    const looked = Effect.flatMap(PubSub.take(given), (lasted) =>
      // If it fails, it runs again after the next sign: a lease lasts for several of them.
      Effect.ignore(Effect.timeoutOption(lasted ? Effect.andThen(look, takeUp) : look, leaseMillis))
    )
    yield* Effect.forkScoped(Effect.forever(looked))
  })

  const say = Effect.fnUntraced(function* (statement: Effect.Effect<ProcessReport>) {
    saying = statement
    yield* sign
    const { address } = yield* statement
    yield* sql`DELETE FROM cluster_process WHERE address = ${address} AND owner <> ${owner}`
  })

  /** Whether no older process lives: names of processes sort by their start. */
  const isFirst = Effect.map(
    sql`SELECT owner FROM cluster_process WHERE owner < ${owner} AND ${isAlive} LIMIT 1`,
    (before) => before.length === 0
  )

  const port = StorePort.fromSql<Pick<ProcessLease["Service"], "end" | "say" | "sign">>({ end, say, sign })
  return ProcessLease.of({
    owner,
    isShared: true,
    isHeard: () => performance.now() - heardAt < leaseMillis,
    free: sql`owner <> ${owner} AND owner NOT IN (SELECT owner FROM cluster_process WHERE ${isAlive})`,
    // Two processes that search at once get different rows.
    skipLocked: sql.literal("FOR UPDATE SKIP LOCKED"),
    afterEachSign,
    forAll: (work) => Effect.flatMap(StorePort.orStoreError(isFirst), (isFirst) => (isFirst ? work : Effect.void)),
    ...port
  })
})

const ended = `this process gave no sign for ${leaseMillis / 1000} s: others may have taken what it ran`

/** A process without a sign for so long is no longer listed. */
export const forgottenMillis = 60_000
