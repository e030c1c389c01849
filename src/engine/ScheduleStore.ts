/**
 * The ledger of a schedule in a database: decided times, runs, and notices. The database is a SQLite file, or a schema of a
 * Postgres that machines share.
 */

import { hostname } from "node:os"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { mayPass } from "#base/mayPass"
import * as Sqlite from "#base/SqliteClient"
import * as SqliteRepair from "#base/SqliteRepair"
import { client } from "#base/sqlClient"
import { LedgerError } from "./ledger/LedgerError.ts"
import * as ScheduleTables from "./ledger/ScheduleTables.ts"
import { type Ask, Ledger } from "./ScheduleLedger.ts"
import { ruleOf } from "./ScheduleTask.ts"

export { LedgerError } from "./ledger/LedgerError.ts"
export { type Notice, type Run, State } from "./ledger/ScheduleTables.ts"
export { type Decided, Ledger, type StoredTask } from "./ScheduleLedger.ts"

/** The ledger of one machine: a SQLite file, or ":memory:". */
export const layer = (file: string): Layer.Layer<Ledger, LedgerError> =>
  Layer.provide(over("", Effect.void), Sqlite.layer(file, { synchronous: "FULL", repairs: true })).pipe(
    asLedger(`cannot open ${file}`)
  )

/**
 * The ledger in a Postgres that machines share: the leader works, and writes of other machines fail. "look": this process only
 * reads.
 */
export const layerShared = ({ name, url }: Shared, leading: "look" | Leading): Layer.Layer<Ledger, LedgerError> => {
  const at = `"millrace_schedule_${name.replaceAll('"', '""')}".`
  return Layer.unwrap(
    Effect.gen(function* () {
      yield* prepare("postgres", at)
      return over(
        at,
        leading === "look" ? Effect.die("this ledger was opened to read only") : (yield* lead(at, leading)).stillLeads
      )
    })
  ).pipe(Layer.provide(client(url)), asLedger("cannot use the database of the schedule"))
}

/** What a machine says while it waits to lead, and does when it no longer knows whether it leads. */
interface Leading {
  /** Called with each machine that leads instead. */
  readonly standingBy: (holder: string) => Effect.Effect<void>
  /** The database did not answer for the time of a lease, by this machine's own clock: what still asks it may wait for ever. */
  readonly lost: (message: string) => Effect.Effect<void>
}

/** A schedule of several machines: its database, and its name there. */
interface Shared {
  readonly url: Redacted.Redacted
  readonly name: string
}

/** Runs that are over are kept for this long; the newest runs of each task are always kept. */
const keepMillis = 90 * 24 * 3_600_000
const keepRuns = 100

const failure = (doing: string, cause: unknown) => {
  // The message of the database, without that of Effect.
  const databaseError = isSqlError(cause) ? (cause.reason.cause ?? cause) : cause
  return new LedgerError({
    message: `${doing}: ${databaseError instanceof Error ? databaseError.message : String(databaseError)}`,
    cause
  })
}

const asLedger = (doing: string) =>
  Layer.catch((cause: LedgerError | SqlError) =>
    Layer.effect(Ledger, Effect.fail(cause instanceof LedgerError ? cause : failure(doing, cause)))
  )

const prepare = Effect.fnUntraced(function* (dialect: ScheduleTables.Dialect, at: string) {
  const sql = yield* SqlClient.SqlClient
  for (const statement of ScheduleTables.create(dialect, at)) yield* sql.unsafe(statement)
})

/** Makes the ledger. `leads`, in a transaction, fails if another machine leads now. */
const over = (at: string, leads: Effect.Effect<void, SqlError | LedgerError, SqlClient.SqlClient>) =>
  Layer.effect(
    Ledger,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      if (at === "") {
        yield* prepare("sqlite", at)
        yield* SqliteRepair.guard
      }
      return make(sql, at, Effect.provideService(leads, SqlClient.SqlClient, sql))
    })
  )

const make = (sql: SqlClient.SqlClient, at: string, leads: Effect.Effect<void, SqlError | LedgerError>) => {
  const base = baseOf(sql, at, leads)
  return Ledger.of({ ...tasksIn(base), ...runsIn(base), ...noticesIn(base) })
}

type Base = ReturnType<typeof baseOf>

/** The tables, and how statements are run. */
const baseOf = (sql: SqlClient.SqlClient, at: string, leads: Effect.Effect<void, SqlError | LedgerError>) => {
  const [tasks, runs, notices] = [sql.literal(`${at}tasks`), sql.literal(`${at}runs`), sql.literal(`${at}notices`)]
  const ended = sql.literal(ScheduleTables.ended)

  const ask = <A>(effect: Effect.Effect<A, SqlError | LedgerError>): Ask<A> =>
    effect.pipe(
      Effect.retry({ schedule: again, times, while: (error) => isSqlError(error) && mayPass(error) }),
      Effect.mapError((cause) =>
        cause instanceof LedgerError ? cause : failure("cannot use the ledger of the schedule", cause)
      )
    )
  /** Runs statements in a transaction, which fails if another machine leads. */
  const whole = <A>(effect: Effect.Effect<A, SqlError>): Ask<A> =>
    ask(sql.withTransaction(Effect.andThen(leads, effect)))
  const put = (task: string, due: number, makesUp: boolean, beginAt: number, state: string, message: string | null) =>
    Effect.map(
      sql`INSERT INTO ${runs} (task, due, makes_up, begin_at, state, message)
        VALUES (${task}, ${due}, ${makesUp ? 1 : 0}, ${beginAt}, ${state}, ${message}) ON CONFLICT DO NOTHING RETURNING id`,
      (rows) => rows.length > 0
    )
  const withSql = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
    Effect.provideService(effect, SqlClient.SqlClient, sql)
  const find = (where: Fragment): Ask<ReadonlyArray<ScheduleTables.Run>> =>
    ask(Effect.map(sql`SELECT * FROM ${runs} WHERE ${where}`, (rows) => rows.map(ScheduleTables.decodeRun)))
  return { sql, tasks, runs, notices, ended, ask, whole, put, find, withSql }
}

const tasksIn = ({ ask, put, runs, sql, tasks, whole, withSql }: Base) =>
  ({
    lost: ask(withSql(SqliteRepair.unreported)),
    forgetLost: (rows) => whole(withSql(SqliteRepair.markReported(rows))),
    tasks: ask(Effect.map(sql`SELECT * FROM ${tasks} ORDER BY name`, (rows) => rows.map(ScheduleTables.decodeTask))),
    adopt: (task, now) =>
      whole(
        Effect.gen(function* () {
          const rule = ruleOf(task.timing)
          const [known] = yield* sql`SELECT * FROM ${tasks} WHERE name = ${task.name}`
          const before = known === undefined ? undefined : ScheduleTables.decodeTask(known)
          const decidedTo = before?.rule === rule ? decidedToBy(now, before.decided_to) : now
          yield* sql`INSERT INTO ${tasks} (name, path, text, rule, decided_to)
            VALUES (${task.name}, ${task.path}, ${task.text}, ${rule}, ${decidedTo})
            ON CONFLICT (name) DO UPDATE
            SET path = excluded.path, text = excluded.text, rule = excluded.rule, decided_to = excluded.decided_to`
          return decidedTo
        })
      ),
    drop: (name, now, isUnderWay) =>
      whole(
        Effect.gen(function* () {
          yield* sql`DELETE FROM ${tasks} WHERE name = ${name}`
          yield* sql`UPDATE ${runs} SET state = 'dropped', ended_at = ${now}, message = 'its pipeline file is gone'
            WHERE task = ${name} AND state IN ('waiting', ${isUnderWay ? "waiting" : "running"})`
        })
      ),
    decide: (name, decided) =>
      whole(
        Effect.gen(function* () {
          for (const { beginAt, due, makesUp, message, state } of decided) {
            yield* put(name, due, makesUp, beginAt, state, message)
          }
          const to = Math.max(...decided.map(({ due }) => due))
          yield* sql`UPDATE ${tasks} SET decided_to = ${to} WHERE name = ${name} AND decided_to < ${to}`
        })
      )
  }) satisfies Partial<Ledger["Service"]>

const runsIn = ({ ended, find, notices, put, runs, sql, whole }: Base) =>
  ({
    add: (name, now, beginAt, skipped) =>
      whole(
        Effect.gen(function* () {
          const [state, message] = skipped === undefined ? ["waiting", null] : ["skipped", skipped]
          // Due times of a task are unique, so a second run of one millisecond gets the next one.
          for (let due = now; !(yield* put(name, due, false, beginAt, state, message)); due += 1) {}
        })
      ),
    open: find(sql`state IN ('waiting', 'running') ORDER BY begin_at, id`),
    start: (id, now) =>
      whole(
        Effect.asVoid(
          sql`UPDATE ${runs} SET state = 'running', attempts = attempts + 1, attempt_at = ${now} WHERE id = ${id}`
        )
      ),
    again: (id, beginAt, message, counts) =>
      whole(
        Effect.asVoid(
          sql`UPDATE ${runs} SET state = 'waiting', begin_at = ${beginAt}, message = ${message},
            attempts = CASE WHEN attempts > 0 THEN attempts - ${counts ? 0 : 1} ELSE 0 END WHERE id = ${id}`
        )
      ),
    settle: (run, { now, outcome, state }, due) =>
      whole(
        Effect.gen(function* () {
          yield* sql`UPDATE ${runs} SET state = ${state}, ended_at = ${now}, run_id = ${outcome.run_id},
            rows = ${JSON.stringify(outcome.rows)}, changed = ${outcome.changed}, message = ${outcome.message}
            WHERE id = ${run.id}`
          for (const { event, target } of due) {
            yield* sql`INSERT INTO ${notices} (id, run, event, target, state, at)
              VALUES (${crypto.randomUUID()}, ${run.id}, ${event}, ${target}, 'due', ${now})`
          }
          yield* sql`DELETE FROM ${runs} WHERE task = ${run.task} AND state NOT IN ('waiting', 'running')
            AND coalesce(ended_at, due) < ${now - keepMillis} AND id NOT IN
            (SELECT id FROM ${runs} WHERE task = ${run.task} ORDER BY id DESC LIMIT ${keepRuns})`
        })
      ),
    before: (name, id) =>
      Effect.map(find(sql`task = ${name} AND id < ${id} AND ${ended} ORDER BY id DESC LIMIT 1`), ([run]) => run),
    run: (id) => Effect.map(find(sql`id = ${id}`), ([run]) => run),
    last: (name) =>
      Effect.map(
        find(sql`task = ${name} AND state NOT IN ('waiting', 'missed') ORDER BY due DESC, id DESC LIMIT 1`),
        ([run]) => run
      )
  }) satisfies Partial<Ledger["Service"]>

const noticesIn = ({ ask, notices, sql, whole }: Base) =>
  ({
    notices: (state) =>
      ask(
        Effect.map(sql`SELECT * FROM ${notices} WHERE state = ${state} ORDER BY at, run, target`, (rows) =>
          rows.map(ScheduleTables.decodeNotice)
        )
      ),
    claim: (id) =>
      whole(
        Effect.map(
          sql`UPDATE ${notices} SET state = 'sending' WHERE id = ${id} AND state = 'due' RETURNING id`,
          (rows) => rows.length > 0
        )
      ),
    settleNotice: (id, state, message, now) =>
      whole(
        Effect.asVoid(sql`UPDATE ${notices} SET state = ${state}, message = ${message}, at = ${now} WHERE id = ${id}`)
      )
  }) satisfies Partial<Ledger["Service"]>

/** Waits up to ten seconds for a database that is not available, for example because it restarts. */
const again = Schedule.spaced("500 millis")
const times = 20

/**
 * The time up to which a schedule is decided. If the clock was ahead and was corrected, the schedule continues from now, and
 * not from the wrong time. A clock in the years before Millrace, of a machine that has just started and has no battery, is
 * ignored: otherwise all times since then would be caught up.
 */
const decidedToBy = (now: number, decidedTo: number): number =>
  now < Date.UTC(2026, 0) ? decidedTo : Math.min(decidedTo, now)

/** How long the lease of a leader lasts, and how often the leader renews it. */
const leaseMillis = 15_000
const renewMillis = 3000
/** How often a machine that stands by tries to lead. */
const lookMillis = 2000

/**
 * Decides which of several machines runs a schedule: one leads, and the others stand by.
 *
 * Guarantee: the leader has a number that is higher than all numbers before, and holds it for a lease, by the clock of the
 * database. Each write of the ledger locks that number in its own transaction, so a machine that has slept and lost the lead
 * writes nothing.
 *
 * Waits until this machine leads, and leads until the scope closes. `stillLeads`, for use in a transaction, fails if another
 * machine leads now.
 */
const lead = Effect.fnUntraced(function* (at: string, { lost, standingBy }: Leading) {
  const sql = yield* SqlClient.SqlClient
  const leader = sql.literal(`${at}leader`)
  const now = sql.literal("(extract(epoch FROM clock_timestamp()) * 1000)::bigint")
  const me = `process ${process.pid} on ${hostname()}`

  const tryToLead = Effect.map(
    sql<{ number: number }>`UPDATE ${leader} SET holder = ${me}, number = number + 1, until = ${now} + ${leaseMillis}
      WHERE until < ${now} RETURNING number`,
    (rows) => Option.map(Option.fromUndefinedOr(rows[0]), (row) => row.number)
  )
  // The clock of a machine may be set, and this one goes on.
  const clock = Effect.map(Clock.currentTimeNanos, (nanos) => Number(nanos / 1_000_000n))
  let answeredAt = yield* clock
  const watch = Effect.gen(function* () {
    while ((yield* clock) - answeredAt <= leaseMillis) yield* Effect.sleep(Duration.millis(renewMillis))
    yield* lost(
      `the database of the schedule did not answer for ${leaseMillis / 1000} s, so another machine may lead now`
    )
  })
  yield* Effect.forkScoped(watch)

  let reported = ""
  let number = yield* tryToLead
  while (Option.isNone(number)) {
    const [row] = yield* sql<{ holder: string }>`SELECT holder FROM ${leader}`
    if (row !== undefined && row.holder !== reported) yield* standingBy(row.holder)
    reported = row?.holder ?? reported
    yield* Effect.sleep(Duration.millis(lookMillis))
    number = yield* tryToLead
    answeredAt = yield* clock
  }
  const own = number.value

  // The next write notices if the lead is lost.
  const renew = Effect.gen(function* () {
    const began = yield* clock
    yield* sql`UPDATE ${leader} SET until = ${now} + ${leaseMillis} WHERE number = ${own}`
    answeredAt = began
  }).pipe(Effect.ignore)
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(Duration.millis(renewMillis)), renew)))
  yield* Effect.addFinalizer(() => Effect.ignore(sql`UPDATE ${leader} SET until = 0 WHERE number = ${own}`))

  const stillLeads = Effect.flatMap(
    sql<{ number: number; holder: string }>`SELECT number, holder FROM ${leader} FOR SHARE`,
    ([row]) =>
      row?.number === own
        ? Effect.void
        : Effect.fail(
            new LedgerError({
              message: `this machine did not renew its lead for ${leaseMillis / 1000} s, and ${row?.holder ?? "another one"} has taken the schedule over`
            })
          )
  )
  return { stillLeads }
})
