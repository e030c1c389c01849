import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { IdempotencyKey } from "#contract/client"
import * as Errors from "#contract/Errors"
import { idempotencyHeader } from "#contract/idempotencyHeader"
import { WebData } from "#contract/WebData"
import { type Reply, scriptedService, statusAnswer } from "./scriptedService.ts"

const status = Effect.flatMap(WebData, ({ crawl }) => crawl.status({ params: { id: "1" }, query: {} }))
const start = Effect.flatMap(WebData, ({ crawl }) => crawl.start({ payload: { url: "http://site.test/" } }))
const scrape = Effect.flatMap(WebData, ({ scrape }) => scrape.scrape({ payload: { url: "http://site.test/" } }))
const cancel = Effect.flatMap(WebData, ({ crawl }) => crawl.cancel({ params: { id: "1" } }))

/** Runs one call against these replies, the last for ever: the waits between its requests, and how it ended. */
const run = Effect.fnUntraced(function* <A, E>(call: Effect.Effect<A, E, WebData>, ...replies: ReadonlyArray<Reply>) {
  const { asked, layer } = scriptedService((_what, turn) => replies[Math.min(turn, replies.length) - 1] ?? "broken")
  const fiber = yield* Effect.forkChild(Effect.provide(Effect.result(call), layer))
  yield* TestClock.adjust("2 hours")
  const result = yield* Fiber.join(fiber)
  const waits = asked.slice(1).map(({ at }, index) => at - (asked[index]?.at ?? 0))
  return { waits, tag: result._tag, result }
})

const fine = { status: 200, body: statusAnswer() }
const started = { status: 200, body: { success: true, id: "1", url: "http://service.test/v2/crawl/1" } }
const scraped = {
  status: 200,
  body: { success: true, data: { metadata: { sourceURL: "u", url: "u", statusCode: 200, scrapeId: "1" } } }
}

describe("the client", () => {
  it.effect("asks again after delays that double with jitter, five times in all, and then gives the failure", () =>
    Effect.gen(function* () {
      const { waits, result } = yield* run(status, { status: 500 })

      expect(waits).toHaveLength(4)
      for (const [index, wait] of waits.entries()) {
        const least = 500 * 2 ** index
        expect(wait).toBeGreaterThanOrEqual(least)
        expect(wait).toBeLessThanOrEqual(least * 1.5)
      }
      expect(result).toMatchObject({ failure: new Errors.InternalError({ message: "status 500" }) })
    })
  )

  it.effect("asks again after each status that may pass, and not after the others", () =>
    Effect.gen(function* () {
      for (const code of [408, 429, 500, 502, 503, 504]) {
        expect([code, (yield* run(status, { status: code }, fine)).tag]).toEqual([code, "Success"])
      }
      for (const code of [400, 401, 402, 403, 404, 409, 413, 418]) {
        const { tag, waits } = yield* run(status, { status: code }, fine)
        expect([code, tag, waits]).toEqual([code, "Failure", []])
      }
    })
  )

  it.effect("asks again after a connection that broke", () =>
    Effect.gen(function* () {
      expect((yield* run(status, "broken", "broken", fine)).tag).toBe("Success")
      expect((yield* run(cancel, "broken", { status: 200, body: { status: "cancelled" } })).tag).toBe("Success")
    })
  )

  it.effect("does not ask before Retry-After, in seconds or as a date", () =>
    Effect.gen(function* () {
      const seconds = yield* run(status, { status: 429, headers: { "retry-after": "90" } }, fine)
      yield* TestClock.setTime(0)
      const date = new Date(45_000).toUTCString()
      const dated = yield* run(status, { status: 503, headers: { "retry-after": date } }, fine)
      const odd = yield* run(status, { status: 503, headers: { "retry-after": "soon" } }, fine)

      expect(seconds.waits).toEqual([90_000])
      expect(dated.waits).toEqual([45_000])
      expect(odd.waits[0]).toBeLessThanOrEqual(750)
    })
  )

  it.effect("repeats a POST that starts a job, because its idempotency key starts it once", () =>
    Effect.gen(function* () {
      for (const reply of [{ status: 429 }, { status: 503 }, { status: 500 }, { status: 502 }, "broken"] as const) {
        expect([reply, (yield* run(start, reply, started)).tag]).toEqual([reply, "Success"])
      }
    })
  )

  it.effect("gives every request that starts a job a key of its own, unless it is told one", () =>
    Effect.gen(function* () {
      const keys: Array<string | undefined> = []
      const { layer } = scriptedService((_what, _turn, { headers }) => {
        keys.push(headers[idempotencyHeader])
        return { status: 200, body: { success: true, id: "1", threadId: "t", threadTurn: 1 } }
      })
      const starts = Effect.gen(function* () {
        const { agent, extract } = yield* WebData
        yield* extract.start({ payload: { prompt: "p" } })
        yield* agent.start({ payload: { prompt: "p" } })
        yield* Effect.provideService(agent.start({ payload: { prompt: "p" } }), IdempotencyKey, "mine")
      })
      yield* Effect.provide(starts, layer)

      expect(keys[2]).toBe("mine")
      expect(new Set(keys).size).toBe(3)
      expect(keys.every((key) => (key ?? "").length > 3)).toBe(true)
    })
  )

  it.effect("repeats another POST only where it was refused, because a lost answer may have been paid for", () =>
    Effect.gen(function* () {
      for (const code of [429, 503]) {
        expect([code, (yield* run(scrape, { status: code }, scraped)).tag]).toEqual([code, "Success"])
      }
      for (const reply of [{ status: 500 }, { status: 502 }, { status: 504 }, "broken"] as const) {
        const { tag, waits } = yield* run(scrape, reply, scraped)
        expect([reply, tag, waits]).toEqual([reply, "Failure", []])
      }
    })
  )

  it.effect("does not wait for ever for an answer", () =>
    Effect.gen(function* () {
      const posted = yield* run(scrape, "never")
      const asked = yield* run(status, "never", fine)

      expect(posted).toMatchObject({ tag: "Failure", waits: [] })
      expect(asked.tag).toBe("Success")
      expect(asked.waits[0]).toBeGreaterThanOrEqual(60_000)
    })
  )

  it.effect("asks a service that is silent once more, and then gives it up", () =>
    Effect.gen(function* () {
      for (const { tag, waits } of [yield* run(status, "never"), yield* run(start, "never")]) {
        expect(tag).toBe("Failure")
        expect(waits).toHaveLength(1)
        expect(waits[0]).toBeLessThan(65_000)
      }
    })
  )

  it.effect("stops to ask when it is interrupted", () =>
    Effect.gen(function* () {
      const { asked, layer } = scriptedService(() => ({ status: 503 }))
      const fiber = yield* Effect.forkChild(Effect.provide(Effect.uninterruptible(start), layer))
      yield* TestClock.adjust(1)
      yield* Fiber.interrupt(fiber)
      yield* TestClock.adjust("1 hour")

      expect(asked).toHaveLength(1)
    })
  )
})
