import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { releaseMemory, thisProcess } from "#app/releaseMemory"

/** A process that works as it is told, and counts its collections. */
const scripted = () => {
  let cpu = 0
  let collections = 0
  const process = { cpuMicros: () => cpu, collect: () => void (collections += 1) }
  const spend = (micros: number) =>
    Effect.andThen(
      Effect.sync(() => (cpu += micros)),
      TestClock.adjust("10 seconds")
    )
  return { process, spend, collections: () => collections }
}

describe("releasing memory", () => {
  it.effect("collects once when a busy process falls idle, and again only after it was busy again", () =>
    Effect.gen(function* () {
      const { process, spend, collections } = scripted()
      yield* Effect.forkChild(releaseMemory(process), { startImmediately: true })
      const seen: Array<number> = []
      for (const micros of [9_000_000, 9_000_000, 1000, 1000, 1000, 5_000_000, 1000]) {
        yield* spend(micros)
        seen.push(collections())
      }

      expect(seen).toEqual([0, 0, 1, 1, 1, 1, 2])
    })
  )

  it.effect("does not stop a process that is never idle", () =>
    Effect.gen(function* () {
      const { process, spend, collections } = scripted()
      yield* Effect.forkChild(releaseMemory(process), { startImmediately: true })
      for (let round = 0; round < 100; round++) yield* spend(300_000)

      expect(collections()).toBe(0)
    })
  )

  it("collects in this process: what nobody holds is gone", () => {
    const held = new WeakRef(new Uint8Array(1024))
    setImmediate(() => thisProcess.collect())
    return new Promise<void>((done) =>
      setImmediate(() => {
        expect(held.deref()).toBeUndefined()
        done()
      })
    )
  })
})
