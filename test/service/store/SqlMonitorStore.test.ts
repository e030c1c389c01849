import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { expect } from "vitest"
import type { Check } from "#service/monitor/Monitor"
import { MonitorStore } from "#service/monitor/MonitorStore"
import { type Database, onEachDatabase } from "../databases.ts"
import { monitorOf } from "../monitor/memory.ts"
import { stores } from "../serviceParts.ts"

const id = "0190c0de-0000-7000-8000-000000000001"
const entry = { trigger: "scheduled", scheduledFor: 300_000, estimatedCredits: 1, next: 600_000 } as const

const monitors = Effect.fnUntraced(function* (database: Database) {
  const store = Context.get(yield* Layer.build(stores(yield* database.fresh)), MonitorStore)
  const monitor = { ...monitorOf(), id }
  yield* store.create(monitor)
  return { store, monitor }
})

onEachDatabase("what is written with a check that is entered", (database) => {
  it.effect("is told the check, once, where it is to be run", () =>
    Effect.gen(function* () {
      const { monitor, store } = yield* monitors(database)
      const told: Array<Check> = []
      const also = (check: Check) => Effect.sync(() => void told.push(check))
      const first = yield* store.enter(monitor, { ...entry, status: "queued", also })
      const second = yield* store.enter(
        { ...monitor, nextRunAt: 600_000 },
        { ...entry, next: 900_000, status: "queued", also }
      )

      expect(told).toEqual([Option.getOrThrow(first)])
      expect(Option.getOrThrow(second).status).toBe("skipped_overlap")
    })
  )

  it.effect("is not written where the check is skipped", () =>
    Effect.gen(function* () {
      const { monitor, store } = yield* monitors(database)
      const entered = yield* store.enter(monitor, {
        ...entry,
        status: "skipped_no_credits",
        also: () => Effect.die("written")
      })

      expect(Option.getOrThrow(entered).status).toBe("skipped_no_credits")
    })
  )

  it.effect("is one transaction with it: where it fails, the due time is still to be taken", () =>
    Effect.gen(function* () {
      const { monitor, store } = yield* monitors(database)
      const also = () => Effect.die("no webhook")
      yield* Effect.exit(store.enter(monitor, { ...entry, status: "queued", also }))
      const after = Option.getOrThrow(yield* store.get(id))

      expect([after.nextRunAt, after.currentCheckId]).toEqual([300_000, null])
    })
  )
})
