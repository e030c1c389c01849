/**
 * A clock that stands still until it is moved, for hundreds of thousands that wait: Effect's own TestClock looks through all of
 * them for each. What is ready runs at once and in order, so the same program does the same each time.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Scheduler from "effect/Scheduler"

export interface VirtualTime {
  readonly context: Context.Context<never>
  /** Milliseconds. */
  readonly now: () => number
  /** Runs what is ready until nothing is, and then all that falls due in this time. */
  readonly pass: (millis: number) => void
}

interface Sleeper {
  readonly at: number
  readonly order: number
  /** Undefined: it waits no more. */
  wake: (() => void) | undefined
}

export const make = (): VirtualTime => {
  const sleepers: Array<Sleeper> = []
  let ready: Array<() => void> = []
  let now = 0
  let order = 0

  const drain = () => {
    while (ready.length > 0) {
      const tasks = ready
      ready = []
      for (const task of tasks) task()
    }
  }
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: () => now,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanosUnsafe: () => nanos(now),
    currentTimeNanos: Effect.sync(() => nanos(now)),
    monotonicTimeNanosUnsafe: () => nanos(now),
    monotonicTimeNanos: Effect.sync(() => nanos(now)),
    sleep: (duration) => {
      const millis = Duration.toMillis(duration)
      if (millis <= 0) return Effect.yieldNow
      if (!Number.isFinite(millis)) return Effect.never
      return Effect.callback<void>((resume) => {
        const sleeper: Sleeper = { at: now + millis, order: order++, wake: () => resume(Effect.void) }
        push(sleepers, sleeper)
        return Effect.sync(() => void (sleeper.wake = undefined))
      })
    }
  }
  const scheduler: Scheduler.Scheduler = {
    executionMode: "async",
    shouldYield: () => false,
    makeDispatcher: () => ({ scheduleTask: (task) => void ready.push(task), flush: drain })
  }
  return {
    context: Context.make(Clock.Clock, clock).pipe(Context.add(Scheduler.Scheduler, scheduler)),
    now: () => now,
    pass: (millis) => {
      const until = now + millis
      drain()
      for (let [first] = sleepers; first !== undefined && first.at <= until; [first] = sleepers) {
        pop(sleepers)
        if (first.wake === undefined) continue
        now = first.at
        first.wake()
        drain()
      }
      now = until
    }
  }
}

const nanos = (millis: number): bigint => BigInt(Math.round(millis * 1000)) * 1000n

const isBefore = (one: Sleeper, other: Sleeper): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order)

/** A heap: each has two below it, which are not before it. */
const push = (heap: Array<Sleeper>, sleeper: Sleeper): void => {
  let at = heap.length
  while (at > 0) {
    const above = (at - 1) >> 1
    const other = heap[above]
    if (other === undefined || !isBefore(sleeper, other)) break
    heap[at] = other
    at = above
  }
  heap[at] = sleeper
}

const pop = (heap: Array<Sleeper>): void => {
  const last = heap.pop()
  if (last === undefined || heap.length === 0) return
  let at = 0
  for (;;) {
    const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]]
    const least = right !== undefined && left !== undefined && isBefore(right, left) ? right : left
    if (least === undefined || !isBefore(least, last)) break
    heap[at] = least
    at = 2 * at + (least === left ? 1 : 2)
  }
  heap[at] = last
}
