/**
 * Gives memory back when a long-lived process falls idle.
 *
 * V8 keeps what a busy hour needed: its own reducer waits for the allocation rate to fall, and in a process that has
 * nothing to do the rate is never taken again. So one collection of the kind that returns pages is asked for once the
 * process has done next to nothing for a while after it was busy. It takes some 100 ms, and nobody waits then.
 */
import * as v8 from "node:v8"
import * as vm from "node:vm"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"

export interface Process {
  /** CPU microseconds that the process has used so far. */
  readonly cpuMicros: () => number
  readonly collect: () => void
}

/** Looks for as long as it runs. */
export const releaseMemory = (process: Process) =>
  Effect.suspend(() => {
    let before = process.cpuMicros()
    let wasBusy = true
    const look = Effect.sync(() => {
      const isBusy = process.cpuMicros() - before > busyShare * lookMillis * 1000
      if (wasBusy && !isBusy) process.collect()
      wasBusy = isBusy
      // Taken after the collection, because the timer itself is not work.
      before = process.cpuMicros()
    })
    return Effect.repeat(look, Schedule.spaced(lookMillis)).pipe(Effect.delay(lookMillis), Effect.asVoid)
  })

const lookMillis = 10_000

/** Less than this share of one core is idling: keep-alives and timers. */
const busyShare = 0.02

/** This process. */
export const thisProcess: Process = {
  cpuMicros: () => {
    const { user, system } = process.cpuUsage()
    return user + system
  },
  collect: () => {
    v8.setFlagsFromString("--expose-gc")
    const gc: unknown = vm.runInNewContext("gc")
    if (typeof gc === "function") {
      Reflect.apply(gc, undefined, [{ type: "major", execution: "sync", flavor: "last-resort" }])
    }
  }
}
