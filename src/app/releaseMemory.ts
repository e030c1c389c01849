/**
 * Returns memory to the system when a long-lived process becomes idle.
 *
 * V8 keeps the memory that a busy hour needed: its own reducer waits for the allocation rate to fall, but an idle process never
 * measures the rate again. So when the process is almost idle after it was busy, this starts one garbage collection of the
 * kind that returns memory pages. It takes about 100 ms, at a time when no work waits.
 */
import * as v8 from "node:v8"
import * as vm from "node:vm"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"

interface Process {
  /** CPU microseconds that the process has used so far. */
  readonly cpuMicros: () => number
  readonly collect: () => void
}

/** Never ends: checks every ten seconds whether the process has become idle. */
export const releaseMemory = (process: Process) =>
  Effect.suspend(() => {
    let before = process.cpuMicros()
    let wasBusy = true
    const look = Effect.sync(() => {
      const isBusy = process.cpuMicros() - before > busyShare * lookMillis * 1000
      if (wasBusy && !isBusy) process.collect()
      wasBusy = isBusy
      // Read after the collection, so that the collection does not count as work.
      before = process.cpuMicros()
    })
    return Effect.repeat(look, Schedule.spaced(lookMillis)).pipe(Effect.delay(lookMillis), Effect.asVoid)
  })

const lookMillis = 10_000

/** Below this share of one core a process is idle: it only handles keep-alives and timers. */
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
