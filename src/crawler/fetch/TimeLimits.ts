/**
 * Time limits of what is asked of hosts: what has not ended in its time is stopped, and ends otherwise.
 *
 * Those that have equally long stand in one line, so the first of a line is the first that is late, and one fiber sleeps
 * for all of them: a race of two fibers and a timer for each page costs as much as its exchange.
 */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { monotonicMillisOf } from "../politeness/monotonicMillis.ts"

/** Says how something ended. Whoever says it first is heard. */
export type Resume<A, E> = (end: Effect.Effect<A, E>) => void

export interface TimeLimits {
  /** Begins something that says how it ended; `begin` answers how to stop it. `late`: how it ends that is not done in time. */
  readonly within: <A, E>(
    millis: number,
    late: () => Effect.Effect<A, E>,
    begin: (resume: Resume<A, E>) => () => void
  ) => Effect.Effect<A, E>
}

interface Waiting {
  /** When it is late (`monotonicMillis`). */
  readonly at: number
  isOver: boolean
  /** What is done where it is late; undefined: it has not begun. */
  end?: () => void
}

type Line = Set<Waiting>

export const make = Effect.gen(function* () {
  const scope = yield* Effect.scope
  /** Those that somebody watches, by how long who is in them has. */
  const lines = new Map<number, Line>()

  /** Ends those that are late, until nobody is in line. */
  const watch = Effect.fnUntraced(function* (millis: number, line: Line, clock: Clock.Clock) {
    for (let first = firstOf(line); first !== undefined; first = firstOf(line)) {
      const left = first.at - monotonicMillisOf(clock)
      if (left > 0) yield* Effect.sleep(left)
      else {
        line.delete(first)
        first.isOver = true
        first.end?.()
      }
    }
    lines.delete(millis)
  })

  const within = <A, E>(
    millis: number,
    late: () => Effect.Effect<A, E>,
    begin: (resume: Resume<A, E>) => () => void
  ): Effect.Effect<A, E> =>
    Effect.clockWith((clock) => {
      const known = lines.get(millis)
      const line: Line = known ?? new Set()
      const own: Waiting = { at: monotonicMillisOf(clock) + millis, isOver: false }
      line.add(own)
      const inTime = Effect.callback<A, E>((resume) => {
        if (own.isOver) return resume(late())
        let stop = () => {}
        own.end = () => {
          stop()
          resume(late())
        }
        stop = begin((end) => {
          line.delete(own)
          resume(end)
        })
        return Effect.sync(() => {
          line.delete(own)
          stop()
        })
      })
      if (known !== undefined) return inTime
      lines.set(millis, line)
      return Effect.andThen(Effect.forkIn(watch(millis, line, clock), scope), inTime)
    })
  const limits: TimeLimits = { within }
  return limits
})

const firstOf = (line: Line): Waiting | undefined => {
  for (const first of line) return first
  return undefined
}
