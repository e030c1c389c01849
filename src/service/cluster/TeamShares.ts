/**
 * How many pages of a team each process may have in flight: kept by the process in which the team lives.
 *
 * Each process states every second what it holds and wants, and gets an answer at once when its limit changes. The laws: a
 * limit is raised only by permits that no process holds; a process that states nothing for `silentMillis` holds nothing;
 * and after the team has moved, no limit changes before each process had time to state what it holds, unless there is no
 * other process. Time is monotonic, and only durations count.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { monotonicMillis } from "#web/monotonicMillis"

/** What a process states of its pages of a team. */
export const Statement = Schema.Struct({
  /** The process, by a name that is new after each start. */
  process: Schema.String,
  /** The number of the statement: one that arrives after a later one changes nothing. */
  turn: Schema.Number,
  /** All permits of the team, by its plan. */
  permits: Schema.Number,
  /** How many pages it may have in flight, and how many it has: more than `limit` if that was lowered meanwhile. */
  limit: Schema.Number,
  inFlight: Schema.Number,
  /** For each of its jobs, how many pages it would have in flight. */
  wants: Schema.Array(Schema.Number)
})
export type Statement = typeof Statement.Type

interface TeamShares {
  /** Returns the new limit of the process as soon as it changes, or the old one after a second. */
  readonly tell: (statement: Statement) => Effect.Effect<number>
  /** The number of pages in flight in all other processes, by their last statements. */
  readonly inFlightBeside: (process: string) => Effect.Effect<number>
}

interface Process {
  readonly statement: Statement
  readonly at: number
  /** The maximum that it may have in flight, whichever answers have reached it. */
  granted: number
  /** The sum of its permits per job over all seconds: if there is not one permit for each, the least served is first. */
  served: number
  /** Waits for its new limit; undefined: it was sent one, and has not stated it yet. */
  answer: Deferred.Deferred<number> | undefined
}

/** Runs until the scope closes. `isAlone`: whether this is the only process. */
export const start = Effect.fnUntraced(function* (isAlone: Effect.Effect<boolean>) {
  const processes = new Map<string, Process>()
  let isOpen = false
  let permits = 0

  const inOrder = () => Array.from(processes.values()).toSorted((one, other) => one.served - other.served)

  /** Answers each process whose limit has changed. Unused permits stay with a process until others need them. */
  const share = () => {
    if (!isOpen) return
    const all = inOrder()
    const shares = fairShares(
      permits,
      all.map(({ statement }) => statement)
    )
    const lacking = all.reduce((sum, { granted }, at) => sum + Math.max(0, (shares[at] ?? 0) - granted), 0)
    let free = permits - all.reduce((sum, { granted }) => sum + granted, 0)
    const isLacking = lacking > free
    for (const [at, process] of all.entries()) {
      const { answer, granted, statement } = process
      const limit = Math.min(shares[at] ?? 0, granted + Math.max(0, free))
      if (answer === undefined || limit === statement.limit || (limit < statement.limit && !isLacking)) continue
      process.granted = Math.max(granted, limit)
      process.answer = undefined
      free -= process.granted - granted
      Deferred.doneUnsafe(answer, Effect.succeed(limit))
    }
  }

  const tell = (statement: Statement) =>
    Effect.flatMap(monotonicMillis, (now) => {
      const { inFlight, limit, process, turn, wants } = statement
      const known = processes.get(process)
      if (known !== undefined && turn <= known.statement.turn) return Effect.succeed(limit)
      permits = statement.permits
      const granted = Math.max(limit, inFlight)
      const answer = Deferred.makeUnsafe<number>()
      const served = known?.served ?? inOrder()[0]?.served ?? 0
      if (granted === 0 && wants.length === 0) processes.delete(process)
      else processes.set(process, { statement, at: now, granted, served, answer })
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
      else process.served += process.granted / Math.max(1, process.statement.wants.length)
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
        Array.from(processes.values()).reduce(
          (sum, { statement }) => sum + (statement.process === own ? 0 : statement.inFlight),
          0
        )
      )
  }
  return shares
})

/**
 * How long after a statement a process may start pages within its limit. After the team has moved, no limit is given for
 * as long: then each process has stated its limit, or starts nothing.
 */
export const leaseMillis = 3000

/** When a process counts as dead: well after its limit has lapsed. */
const silentMillis = 6000

const everyMillis = 1000

/**
 * Shares out the permits of a team: as evenly between its jobs as their wishes allow.
 *
 * A job never gets more than it wants, and the rest goes to the others. If the rest is too small for one more each, the
 * first jobs get one: the caller puts those first that had least.
 */

/** The number of permits that each job wants. */
interface Wishes {
  readonly wants: ReadonlyArray<number>
}

/** How many permits each asker may have, over all its jobs; together at most `permits`. */
export const fairShares = (permits: number, askers: ReadonlyArray<Wishes>): ReadonlyArray<number> => {
  const jobs = askers.flatMap(({ wants }, asker) => wants.map((want) => ({ asker, want, has: 0 })))
  let free = permits
  let unmet = jobs.filter(({ want }) => want > 0)
  while (unmet.length > 0 && free >= unmet.length) {
    const each = Math.floor(free / unmet.length)
    for (const job of unmet) {
      const more = Math.min(each, job.want - job.has)
      job.has += more
      free -= more
    }
    unmet = unmet.filter(({ has, want }) => has < want)
  }
  for (const job of unmet.slice(0, free)) job.has += 1
  const shares = askers.map(() => 0)
  for (const { asker, has } of jobs) shares[asker] = (shares[asker] ?? 0) + has
  return shares
}
