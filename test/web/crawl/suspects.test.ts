import { describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { expect } from "vitest"
import type { DiscoveredUrl } from "#web/CrawlUrl"
import * as suspects from "#web/crawl/suspects"
import { Suspect } from "#web/Suspect"

const url = (seq: number, isSuspect = false): DiscoveredUrl => ({
  seq,
  key: `${seq}`,
  url: `http://site.test/${seq}`,
  depth: 0,
  kind: "link",
  state: "queued",
  ...(isSuspect ? { isSuspect } : {})
})

/** A store that marks each page with the two that come next, and which it was asked to begin. */
const marking = () => {
  const asked: Array<number> = []
  const begin = (_: string, seq: number) =>
    Effect.sync(() => {
      asked.push(seq)
      return [seq, seq + 1, seq + 2]
    })
  return { asked, carefully: suspects.start({ begin }, "job") }
}

describe("the pages of a job", () => {
  it.effect("are suspects where they were in flight before, and nothing else is", () =>
    Effect.gen(function* () {
      const { carefully } = marking()
      const read = Effect.map(Suspect, (isSuspect) => isSuspect)

      expect(yield* carefully(url(0), read)).toBe(false)
      expect(yield* carefully(url(1, true), read)).toBe(true)
      expect(yield* Suspect).toBe(false)
    })
  )

  it.effect("are marked some at a time, and each before it is read", () =>
    Effect.gen(function* () {
      const { asked, carefully } = marking()
      for (const seq of [0, 1, 2, 3, 4]) yield* carefully(url(seq), Effect.void)

      expect(asked).toEqual([0, 3])
    })
  )

  it.effect(
    "are marked again where they were put back after they had begun, also if another had marked them meanwhile",
    () =>
      Effect.gen(function* () {
        const { asked, carefully } = marking()
        yield* carefully(url(0), Effect.void)
        yield* carefully(url(0), Effect.void)
        expect(asked).toEqual([0, 0])
        const answered = yield* Deferred.make<void>()
        const slow = yield* Effect.forkChild(carefully(url(11), Deferred.await(answered)), { startImmediately: true })
        yield* carefully(url(10), Effect.void)
        yield* Deferred.succeed(answered, undefined)
        yield* Fiber.join(slow)
        yield* carefully(url(11), Effect.void)

        expect(asked).toEqual([0, 0, 11, 10, 11])
      })
  )
})
