/**
 * When a receiver runs its pipeline: once the end of a check is reported, or a while after an event came.
 *
 * An event that arrives during a run is for the next run; what a run did not load is tried again, after a longer wait
 * each time.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { Outcome } from "#engine/ScheduleRunner"
import { printable } from "#see/printable"
import { count, seconds } from "#see/summary"
import { moment } from "../notify/scheduleNews.ts"

interface Options {
  readonly name: string
  readonly gatherMillis: number
  readonly run: Effect.Effect<Outcome>
}

const firstRetry = 5000
const longestRetry = 300_000

export const prepare = Effect.fnUntraced(function* ({ gatherMillis, name, run }: Options) {
  const some = yield* Latch.make()
  const isWhole = yield* Latch.make()

  const runOnce = Effect.gen(function* () {
    // What comes from here on may come too late for this run.
    some.closeUnsafe()
    isWhole.closeUnsafe()
    const began = yield* Clock.currentTimeMillis
    const outcome = yield* run
    say(name, outcome, began, yield* Clock.currentTimeMillis)
    return outcome
  })

  const work = Effect.fnUntraced(function* (isLeft: boolean): Effect.fn.Return<never> {
    let [isDue, failures] = [isLeft, 0]
    for (;;) {
      if (!isDue) {
        yield* some.await
        yield* Effect.raceFirst(isWhole.await, Effect.sleep(gatherMillis))
      }
      const { status } = yield* runOnce
      isDue = !isOver(status)
      failures = isDue ? failures + 1 : 0
      if (isDue) yield* Effect.sleep(Math.min(firstRetry * 2 ** (failures - 1), longestRetry))
    }
  })

  return {
    /** An event of this type is in the inbox. */
    came: (type: string) =>
      Effect.andThen(some.open, type === "monitor.check.completed" ? Effect.asVoid(isWhole.open) : Effect.void),
    /** Runs the pipeline again and again; at once where something is left from before. */
    work
  }
})

/** A run that was held, or whose file is wrong, waits for people: trying again changes nothing. */
const isOver = (status: Outcome["status"]): boolean => status === "done" || status === "held" || status === "wrong"

const say = (name: string, { message, rows, run_id: runId, status }: Outcome, began: number, now: number): void => {
  const sum = Object.values(rows).reduce((total, some) => total + some, 0)
  const what = status === "done" ? `, ${count(sum)} rows` : message === null ? "" : `: ${message}`
  const id = runId === null ? "" : ` (run ${runId})`
  const stream = status === "done" ? process.stdout : process.stderr
  stream.write(printable(`${moment(now)} ${name}: ${status} in ${seconds(now - began)}${id}${what}\n`))
}
