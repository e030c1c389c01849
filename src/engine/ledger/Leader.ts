/**
 * Decides which of several machines runs a schedule: one leads, and the others stand by.
 *
 * Guarantee: the leader has a number that is higher than all numbers before, and holds it for a lease, by the clock of the
 * database. Each write of the ledger locks that number in its own transaction, so a machine that has slept and lost the lead
 * writes nothing.
 */
import { hostname } from "node:os"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { LedgerError } from "./LedgerError.ts"

/** How long the lease of a leader lasts, and how often the leader renews it. */
const leaseMillis = 15_000
const renewMillis = 3000
/** How often a machine that stands by tries to lead. */
const lookMillis = 2000

/**
 * Waits until this machine leads, and leads until the scope closes. `stillLeads`, for use in a transaction, fails if another
 * machine leads now. `standingBy` is called with each machine that leads instead.
 */
export const lead = Effect.fnUntraced(function* (at: string, standingBy: (holder: string) => Effect.Effect<void>) {
  const sql = yield* SqlClient.SqlClient
  const leader = sql.literal(`${at}leader`)
  const now = sql.literal("(extract(epoch FROM clock_timestamp()) * 1000)::bigint")
  const me = `process ${process.pid} on ${hostname()}`

  const tryToLead = Effect.map(
    sql<{ number: number }>`UPDATE ${leader} SET holder = ${me}, number = number + 1, until = ${now} + ${leaseMillis}
      WHERE until < ${now} RETURNING number`,
    (rows) => Option.map(Option.fromUndefinedOr(rows[0]), (row) => row.number)
  )
  let reported = ""
  let number = yield* tryToLead
  while (Option.isNone(number)) {
    const [row] = yield* sql<{ holder: string }>`SELECT holder FROM ${leader}`
    if (row !== undefined && row.holder !== reported) yield* standingBy(row.holder)
    reported = row?.holder ?? reported
    yield* Effect.sleep(Duration.millis(lookMillis))
    number = yield* tryToLead
  }
  const own = number.value

  // The next write notices if the lead is lost.
  const renew = Effect.ignore(sql`UPDATE ${leader} SET until = ${now} + ${leaseMillis} WHERE number = ${own}`)
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
