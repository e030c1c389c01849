/**
 * The pages in flight of one team in this process. The process holds permits in advance, so that no page needs a message.
 *
 * The process states each second which permits it holds and wants, and at once if a page waits that the team does not
 * know of, or a page has ended whose permit others wait for. Guarantee: one statement is in flight at a time, and an answer
 * is valid from the moment at which its statement was sent. If the team cannot be reached for `leaseMillis`, no page starts.
 */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import { uuid7 } from "#contract/uuid7"
import { monotonicMillisOf } from "#web/monotonicMillis"
import type { Lane } from "../accounts/TeamLimits.ts"
import * as PermitPool from "./PermitPool.ts"
import { leaseMillis, type Statement } from "./TeamShares.ts"

/** The team, as a process reaches it. */
interface Team<out E> {
  readonly tell: (statement: Statement) => Effect.Effect<number, E>
  readonly inFlightBeside: (process: string) => Effect.Effect<number, E>
}

interface TeamLane {
  readonly lane: Lane
  /** Sends statements to the team until it is interrupted; then it gives back all permits. */
  readonly run: Effect.Effect<void>
}

/** `address`: the address of this process. `permits`: all permits of the team. */
export const open = <E>(address: string, permits: number, team: Team<E>, clock: Clock.Clock): TeamLane => {
  const process = `${address} ${uuid7()}`
  const now = () => monotonicMillisOf(clock)
  const urgent = Latch.makeUnsafe(false)
  const pool = PermitPool.create(now, () => void urgent.openUnsafe())
  let turn = 0

  /** Sends one statement, and waits until it is answered or the next is urgent. */
  const talk = Effect.suspend(() => {
    const sentAt = now()
    urgent.closeUnsafe()
    const statement: Statement = { process, turn: ++turn, permits, ...pool.statement() }
    const isIdle = statement.limit + statement.inFlight + statement.wants.length === 0
    const answered = Effect.map(team.tell(statement), (limit) => pool.allow(limit, sentAt + leaseMillis))
    const report = Effect.matchCauseEffect(Effect.timeout(answered, patienceMillis), {
      onSuccess: () => Effect.void,
      onFailure: () => Effect.sleep(againMillis)
    })
    return Effect.andThen(Effect.raceFirst(report, urgent.await), isIdle ? urgent.await : Effect.void)
  })
  const giveBack = Effect.suspend(() =>
    Effect.ignoreCause(Effect.timeout(team.tell({ ...nothing, process, turn: turn + 1, permits }), againMillis))
  )
  const run = Effect.andThen(urgent.await, Effect.ensuring(Effect.forever(talk), giveBack))

  /** Ends when there is certainly no room: the others had time to give back unused permits. */
  const refusal: Effect.Effect<void> = Effect.flatMap(Effect.sleep(roomMillis), () =>
    pool.isConfirmed() ? Effect.void : refusal
  )
  const lane: Lane = {
    withPermit: (job) => (work) =>
      Effect.suspend(() => {
        const { begun, end } = pool.turn(job)
        return Effect.ensuring(Effect.andThen(begun, work), end)
      }),
    ifFree: (work) =>
      Effect.suspend(() => {
        const { begun, end } = pool.turn("")
        const isFree = Effect.raceFirst(Effect.as(begun, true), Effect.as(refusal, false))
        const ifSo = Effect.flatMap(isFree, (is) => (is ? Effect.asSome(work) : Effect.succeedNone))
        return Effect.ensuring(ifSo, end)
      }),
    inFlight: Effect.map(Effect.orDie(team.inFlightBeside(process)), (others) => others + pool.inFlight())
  }
  return { lane, run }
}

const nothing = { limit: 0, inFlight: 0, wants: [] }

/** The wait after the team could not be reached. */
const againMillis = 200

/** The timeout of a statement. A team answers within a second. */
const patienceMillis = 2000

const roomMillis = 1000
