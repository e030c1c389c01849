/**
 * Time limits for requests: what has not ended in time is stopped, and ends as `late` says.
 *
 * Entries with equal limits share a line, so the first of a line is late first, and one fiber sleeps for all of them: a
 * race of two fibers and a timer for each page would cost as much as its exchange.
 */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { monotonicMillisOf } from "../monotonicMillis.ts"

/** Reports how something ended. Only the first call counts. */
export type Resume<A, E> = (end: Effect.Effect<A, E>) => void

interface TimeLimits {
  /**
   * Runs `begin`, which reports its end by `resume` and returns how to stop it. `late`: the end of what is not done in
   * time.
   */
  readonly within: <A, E>(
    millis: number,
    late: () => Effect.Effect<A, E>,
    begin: (resume: Resume<A, E>) => () => void
  ) => Effect.Effect<A, E>
}

interface Waiting {
  /** The deadline (`monotonicMillis`). */
  readonly at: number
  isOver: boolean
  /** Called at the deadline; undefined: it has not begun. */
  end?: () => void
}

type Line = Set<Waiting>

export const start = Effect.gen(function* () {
  const scope = yield* Effect.scope
  /** The lines that are watched, by their limit in milliseconds. */
  const lines = new Map<number, Line>()

  /** Ends the entries that are late, until the line is empty. */
  const watch = Effect.fnUntraced(function* (millis: number, line: Line, clock: Clock.Clock) {
    for (let first = firstOf(line); first !== undefined; first = firstOf(line)) {
      const remainingMillis = first.at - monotonicMillisOf(clock)
      if (remainingMillis > 0) yield* Effect.sleep(remainingMillis)
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
