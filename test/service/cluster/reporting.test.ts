import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import type { ClusterStore, Report } from "#service/cluster/ClusterStore"
import * as HostRegistry from "#service/cluster/HostRegistry"
import { report } from "#service/cluster/joinCluster"
import { version } from "#web/exchangeBytes"
import { StoreError } from "#web/StoreError"

const address = "10.0.0.5:3100"

/** A store that keeps what it is told, and fails while it is `away`. */
const remembering = () => {
  const told: Array<Report> = []
  const state = { away: false, isWithdrawn: false }
  let signs: Fiber.Fiber<void> | undefined
  const store: ClusterStore = {
    admit: () => Effect.succeed(0),
    pause: () => Effect.void,
    pausedMillis: () => Effect.succeed(0),
    alone: Effect.void,
    secret: Effect.succeed(Buffer.alloc(32)),
    reports: Effect.succeed([]),
    withdraw: Effect.suspend(() => {
      state.isWithdrawn = true
      return signs === undefined ? Effect.void : Fiber.interrupt(signs)
    }),
    /** As a process gives signs of life. */
    report: Effect.fnUntraced(function* (own) {
      const sign = Effect.flatMap(own, (said) =>
        state.away
          ? Effect.fail(new StoreError({ message: "away", isRetryable: true }))
          : Effect.sync(() => void told.push(said))
      )
      yield* sign
      signs = yield* Effect.forkDetach(Effect.forever(Effect.delay(Effect.ignore(sign), "2 seconds")))
    })
  }
  return { store, told, state }
}

describe("what a process says of itself", () => {
  it.effect("is how many hosts live in it, what waits, and for how long, until it ends", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000_000)
      const registry = HostRegistry.create()
      const { state, store, told } = remembering()
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* report(address, store, registry)
          const host = registry.enter("busy.test", 1_000_000)
          registry.enter("idle.test", 1_000_000)
          registry.requestBegan("busy.test", 1_000_500)
          const work = yield* Effect.forkChild(registry.during(host, 1_000_000, Effect.never))
          yield* TestClock.adjust("2 seconds")
          yield* Fiber.interrupt(work)
          registry.leave(host)
          state.away = true
          yield* TestClock.adjust("2 seconds")
          state.away = false
          yield* TestClock.adjust("2 seconds")
        })
      )

      const nothing = {
        address,
        version,
        hosts: 0,
        waiting: 0,
        oldestSeconds: 0,
        requests: 0,
        arrivals: 0,
        busiest: []
      }
      expect(told).toEqual([
        { ...nothing, silent: [] },
        {
          ...nothing,
          hosts: 2,
          waiting: 1,
          oldestSeconds: 2,
          requests: 1,
          arrivals: 2,
          busiest: [{ host: "busy.test", waiting: 1, oldestSeconds: 2 }],
          silent: []
        },
        // A host that has left keeps its requests counted.
        { ...nothing, hosts: 1, requests: 1, arrivals: 2, silent: [] }
      ])
      expect(state.isWithdrawn).toBe(true)
    })
  )

  it.effect("names a host for which something waits and that had no request for more than a minute", () =>
    Effect.gen(function* () {
      const registry = HostRegistry.create()
      const { store, told } = remembering()
      const host = registry.enter("hung.test", 0)
      registry.enter("idle.test", 0)
      registry.requestBegan("hung.test", 10_000)
      host.waiting.add({ at: 20_000 })
      const silentAt = Effect.fnUntraced(function* (now: number) {
        yield* TestClock.setTime(now)
        yield* Effect.scoped(report(address, store, registry))
        return told.at(-1)?.silent
      })

      expect(yield* silentAt(80_000)).toEqual([])
      expect(yield* silentAt(90_000)).toEqual(["hung.test"])
      registry.requestBegan("hung.test", 90_000)
      expect(yield* silentAt(91_000)).toEqual([])
    })
  )
})
