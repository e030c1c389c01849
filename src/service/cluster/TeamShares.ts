/**
 * Where a team lives: which process may have how many of its pages in flight.
 *
 * Each process tells every second what it holds and what it wants, and hears at once when its limit changes. The laws: a limit
 * is raised only by what no process holds; a process that says nothing for `silentMillis` holds nothing; and a new place of
 * the team changes no limit before each process had time to tell it what it holds, unless no other process is there. Time is
 * monotonic, and only distances count.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { monotonicMillis } from "../../crawler/politeness/monotonicMillis.ts"
import { fairShares } from "./fairShares.ts"

/** What a process says of its pages of a team. */
export const Statement = Schema.Struct({
  /** One life of one process. */
  process: Schema.String,
  /** Counts its statements: what comes too late changes nothing. */
  turn: Schema.Number,
  /** What the plan of the team has. */
  permits: Schema.Number,
  /** How many pages it may have in flight, and has. More than it may: its limit was lowered meanwhile. */
  limit: Schema.Number,
  inFlight: Schema.Number,
  /** Of each of its jobs: how many pages it would have in flight. */
  wants: Schema.Array(Schema.Number)
})
export type Statement = typeof Statement.Type

export interface TeamShares {
  /** What it gives is the new limit of the process: as soon as it changes, or the old one after a second. */
  readonly tell: (statement: Statement) => Effect.Effect<number>
  /** Pages in flight in all other processes, as they have said last. */
  readonly inFlightBeside: (process: string) => Effect.Effect<number>
}

interface Process {
  readonly said: Statement
  readonly at: number
  /** The most that it may have in flight, whatever it has heard. */
  granted: number
  /** Permits a job that it had, in seconds: who had least is first where there is not one for each. */
  served: number
  /** Where its new limit goes; undefined: it has got one, and has not yet said so. */
  answer: Deferred.Deferred<number> | undefined
}

/** Until the scope closes. `isAlone`: whether no other process is there. */
export const make = Effect.fnUntraced(function* (isAlone: Effect.Effect<boolean>) {
  const processes = new Map<string, Process>()
  let isOpen = false
  let permits = 0

  const inOrder = () => Array.from(processes.values()).toSorted((one, other) => one.served - other.served)

  /** Answers each process whose limit is another now. What a process does not use stays there until others lack it. */
  const share = () => {
    if (!isOpen) return
    const all = inOrder()
    const shares = fairShares(
      permits,
      all.map(({ said }) => said)
    )
    const lacking = all.reduce((sum, { granted }, at) => sum + Math.max(0, (shares[at] ?? 0) - granted), 0)
    let free = permits - all.reduce((sum, { granted }) => sum + granted, 0)
    const isLacking = lacking > free
    for (const [at, process] of all.entries()) {
      const { answer, granted, said } = process
      const limit = Math.min(shares[at] ?? 0, granted + Math.max(0, free))
      if (answer === undefined || limit === said.limit || (limit < said.limit && !isLacking)) continue
      process.granted = Math.max(granted, limit)
      process.answer = undefined
      free -= process.granted - granted
      Deferred.doneUnsafe(answer, Effect.succeed(limit))
    }
  }

  const tell = (said: Statement) =>
    Effect.flatMap(monotonicMillis, (now) => {
      const { inFlight, limit, process, turn, wants } = said
      const known = processes.get(process)
      if (known !== undefined && turn <= known.said.turn) return Effect.succeed(limit)
      permits = said.permits
      const granted = Math.max(limit, inFlight)
      const answer = Deferred.makeUnsafe<number>()
      const served = known?.served ?? inOrder()[0]?.served ?? 0
      if (granted === 0 && wants.length === 0) processes.delete(process)
      else processes.set(process, { said, at: now, granted, served, answer })
      share()
      if (!processes.has(process)) return Effect.succeed(limit)
      return Effect.map(
        Effect.timeoutOption(Deferred.await(answer), everyMillis),
        Option.getOrElse(() => limit)
      )
    })

  const second = Effect.map(monotonicMillis, (now) => {
    for (const [name, process] of processes) {
      if (now - process.at > silentMillis) processes.delete(name)
      else process.served += process.granted / Math.max(1, process.said.wants.length)
    }
    share()
  })
  yield* Effect.forkScoped(Effect.repeat(second, Schedule.spaced(everyMillis)))
  const open = Effect.sync(() => {
    isOpen = true
    share()
  })
  const opening = Effect.andThen((yield* isAlone) ? Effect.void : Effect.sleep(leaseMillis), open)
  yield* Effect.forkScoped(opening)

  const shares: TeamShares = {
    tell,
    inFlightBeside: (own) =>
      Effect.sync(() =>
        Array.from(processes.values()).reduce((sum, { said }) => sum + (said.process === own ? 0 : said.inFlight), 0)
      )
  }
  return shares
})

/**
 * So long after it has said so, a process may begin pages within its limit. A new place of the team is silent for as long: then
 * each process has told it of its limit, or begins nothing.
 */
export const leaseMillis = 3000

/** Well after its limit has lapsed, a process is taken to be dead. */
const silentMillis = 6000

const everyMillis = 1000
