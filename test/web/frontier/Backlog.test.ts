import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Semaphore from "effect/Semaphore"
import { expect } from "vitest"
import type { DiscoveredUrl } from "#web/CrawlUrl"
import * as Backlog from "#web/frontier/Backlog"

const url = (seq: number): DiscoveredUrl => ({
  seq,
  key: `site.test/${seq}`,
  url: `http://site.test/${seq}`,
  depth: 0,
  kind: "link",
  state: "queued"
})

/** A ledger in memory, whose readers are counted, and a backlog over it. */
const ledger = Effect.fnUntraced(function* (first = 0) {
  const rows = Array.from({ length: first }, (_, seq) => url(seq))
  let reads = 0
  const writing = yield* Semaphore.make(1)
  const backlog = yield* Backlog.create(
    (after, limit) =>
      Effect.sync(() => {
        reads += 1
        return rows.filter(({ seq }) => seq > after).slice(0, limit)
      }),
    writing
  )
  const enter = (count: number) =>
    writing.withPermits(1)(
      Effect.suspend(() => {
        const found = Array.from({ length: count }, (_, index) => url(rows.length + index))
        rows.push(...found)
        return backlog.offer(found)
      })
    )
  const take = (count: number) =>
    Effect.map(Effect.replicateEffect(backlog.take, count), (taken) => taken.map(({ seq }) => seq))
  return { backlog, enter, take, reads: () => reads }
})

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

describe("the backlog of a crawl", () => {
  it.effect("gives every URL once, in order, however many were entered at once", () =>
    Effect.gen(function* () {
      const { enter, take } = yield* ledger(1)
      expect(yield* take(1)).toEqual([0])
      yield* enter(5000)
      expect(yield* take(700)).toEqual(numbers(1, 701))
      yield* enter(3)
      yield* enter(1200)

      expect(yield* take(5503)).toEqual(numbers(701, 6204))
    })
  )

  it.effect("does not ask the ledger while memory has all that waits", () =>
    Effect.gen(function* () {
      const { enter, take, reads } = yield* ledger(1)
      yield* take(1)
      for (let round = 0; round < 50; round++) {
        yield* enter(20)
        yield* take(20)
      }

      expect(reads()).toBe(1)
    })
  )

  it.effect("wakes everybody who waits when more is entered than memory takes", () =>
    Effect.gen(function* () {
      const { backlog, enter, take } = yield* ledger()
      const waiters = yield* Effect.forEach(numbers(0, 8), () =>
        Effect.forkChild(backlog.take, { startImmediately: true })
      )
      yield* enter(2000)
      const woken = yield* Effect.forEach(waiters, Fiber.join)

      expect(woken.map(({ seq }) => seq)).toEqual(numbers(0, 8))
      expect(yield* take(1992)).toEqual(numbers(8, 2000))
    })
  )

  it.effect("is taken from by many at once", () =>
    Effect.gen(function* () {
      const { backlog, enter } = yield* ledger(3)
      yield* enter(997)
      const taken = yield* Effect.forEach(numbers(0, 1000), () => backlog.take, { concurrency: 40 })

      expect(taken.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual(numbers(0, 1000))
    })
  )
})
