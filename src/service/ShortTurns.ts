/**
 * A scheduler of fibers that keeps the turns of the event loop short: what is due runs for 10 ms, and then callers are looked at.
 *
 * Node takes one new connection in each turn. If all pages that have come are read in one turn, a turn takes half a second, and a
 * thousand callers wait for minutes before anybody hears them. Fibers keep their order; nobody waits for work that came later.
 */
import type * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scheduler from "effect/Scheduler"

const turnMillis = 10

type Task = () => void

/** One for all fibers of a service: a turn is short only if all of them share it. */
class Turns implements Scheduler.SchedulerDispatcher {
  /** The tasks of each priority, in order; the lowest number first. */
  private readonly waiting: Array<{ readonly priority: number; tasks: Array<Task>; next: number }> = []
  private readonly now: () => number
  private readonly later: (run: () => void) => void
  private isPlanned = false

  constructor(now: () => number, later: (run: () => void) => void) {
    this.now = now
    this.later = later
  }

  scheduleTask(task: Task, priority: number): void {
    let at = 0
    while (at < this.waiting.length && (this.waiting[at]?.priority ?? 0) < priority) at += 1
    const known = this.waiting[at]
    if (known?.priority === priority) known.tasks.push(task)
    else this.waiting.splice(at, 0, { priority, tasks: [task], next: 0 })
    this.plan()
  }

  flush(): void {
    while (this.run(Number.POSITIVE_INFINITY)) {}
  }

  private plan(): void {
    if (this.isPlanned) return
    this.isPlanned = true
    this.later(() => {
      this.isPlanned = false
      try {
        this.run(this.now() + turnMillis)
      } finally {
        if (this.waiting.some(({ next, tasks }) => next < tasks.length)) this.plan()
      }
    })
  }

  /** Runs what waits now, not what it adds, until the time is over; gives whether there was anything. */
  private run(until: number): boolean {
    const due = this.waiting.map((one) => ({ one, end: one.tasks.length }))
    let isAny = false
    for (const { end, one } of due) {
      while (one.next < end) {
        isAny = true
        const task = one.tasks[one.next++]
        task?.()
        if (this.now() >= until) return true
      }
      if (one.next === one.tasks.length) {
        one.tasks = []
        one.next = 0
      } else if (one.next > maxDone) {
        one.tasks = one.tasks.slice(one.next)
        one.next = 0
      }
    }
    return isAny
  }
}

/** Tasks that are done and still in their list. */
const maxDone = 1000

export const make = (
  now: () => number = () => performance.now(),
  later: (run: () => void) => void = setImmediate
): Scheduler.Scheduler => {
  const turns = new Turns(now, later)
  return {
    executionMode: "async",
    shouldYield: (fiber: Fiber.Fiber<unknown, unknown>) => fiber.currentOpCount >= fiber.cache.maxOpsBeforeYield,
    makeDispatcher: () => turns
  }
}

export const layer = Layer.sync(Scheduler.Scheduler, () => make())
