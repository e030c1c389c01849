import { describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { Fetch, FetchError, type FetchResult } from "#web/Fetch"
import { PoliteFetch } from "#web/PoliteFetch"
import { Politeness } from "#web/Politeness"
import { patiently } from "#web/patiently"

type Said =
  | { readonly status: number; readonly retryAfter?: string }
  | { readonly code: string; readonly retryable: boolean }

/** Asks a host that says these things one after the other (the last for ever), and when it was asked. */
const ask = Effect.fnUntraced(function* (...says: ReadonlyArray<Said>) {
  const asked: Array<number> = []
  const get = Effect.fnUntraced(function* (url: string) {
    asked.push(yield* Clock.currentTimeMillis)
    const said = says[Math.min(asked.length, says.length) - 1] ?? { status: 200 }
    if ("code" in said) return yield* new FetchError({ url, message: said.code, ...said })
    const fetched: FetchResult = {
      status: said.status,
      retryAfter: said.retryAfter,
      contentType: undefined,
      location: undefined,
      body: new Uint8Array()
    }
    return fetched
  })
  const layer = PoliteFetch.layer.pipe(
    Layer.provide([Layer.succeed(Fetch, Fetch.of({ get })), Politeness.layer({ perHost: 8 })])
  )
  const exchange = Effect.flatMap(PoliteFetch, (polite) =>
    patiently(polite.get(new URL("http://site.test/"), { timeoutMillis: 1000 }, 0))
  )
  const fiber = yield* Effect.forkChild(Effect.provide(Effect.result(exchange), layer))
  yield* TestClock.adjust("10 minutes")
  const result = yield* Fiber.join(fiber)
  return { asked, outcome: result._tag === "Success" ? result.success.status : result.failure.code }
})

describe("what is asked for patiently", () => {
  it.effect("is asked for again after as many seconds as a 429 or 503 asks", () =>
    Effect.gen(function* () {
      expect(yield* ask({ status: 429, retryAfter: "7" }, { status: 200 })).toEqual({ asked: [0, 7000], outcome: 200 })
      yield* TestClock.setTime(0)
      expect(yield* ask({ status: 503, retryAfter: "3" }, { status: 200 })).toEqual({ asked: [0, 3000], outcome: 200 })
    })
  )

  it.effect("is asked for again at the date that is asked", () =>
    Effect.gen(function* () {
      const retryAfter = new Date(20_000).toUTCString()

      expect(yield* ask({ status: 429, retryAfter }, { status: 200 })).toEqual({ asked: [0, 20_000], outcome: 200 })
    })
  )

  it.effect("does not wait for a date that is past, and a minute at most for any other", () =>
    Effect.gen(function* () {
      const past = new Date(-10_000).toUTCString()

      expect(yield* ask({ status: 429, retryAfter: past }, { status: 200 })).toMatchObject({ asked: [0, 0] })
      yield* TestClock.setTime(0)
      expect(yield* ask({ status: 429, retryAfter: "86400" }, { status: 200 })).toMatchObject({ asked: [0, 60_000] })
      yield* TestClock.setTime(0)
      const far = new Date(10 ** 12).toUTCString()
      expect(yield* ask({ status: 503, retryAfter: far }, { status: 200 })).toMatchObject({ asked: [0, 60_000] })
    })
  )

  it.effect("waits a second where a 429 does not say, and is the third answer, whatever it is", () =>
    Effect.gen(function* () {
      expect(yield* ask({ status: 429 })).toEqual({ asked: [0, 1000, 2000], outcome: 429 })
      yield* TestClock.setTime(0)
      expect(yield* ask({ status: 429, retryAfter: "soon" }, { status: 200 })).toMatchObject({ asked: [0, 1000] })
    })
  )

  it.effect("is a 503 that says nothing", () =>
    Effect.gen(function* () {
      expect(yield* ask({ status: 503 })).toEqual({ asked: [0], outcome: 503 })
    })
  )

  it.effect("is tried over broken connections three times, and over nothing else that failed", () =>
    Effect.gen(function* () {
      const broken = { code: "SCRAPE_CONNECTION_ERROR", retryable: true }
      const timeout = { code: "SCRAPE_TIMEOUT", retryable: true }
      const blocked = { code: "SCRAPE_ADDRESS_BLOCKED", retryable: false }

      expect(yield* ask(broken, { status: 200 })).toMatchObject({ asked: [0, 0], outcome: 200 })
      yield* TestClock.setTime(0)
      expect(yield* ask(broken)).toMatchObject({ asked: [0, 0, 0], outcome: "SCRAPE_CONNECTION_ERROR" })
      yield* TestClock.setTime(0)
      expect(yield* ask(timeout)).toMatchObject({ asked: [0], outcome: "SCRAPE_TIMEOUT" })
      yield* TestClock.setTime(0)
      expect(yield* ask(blocked)).toMatchObject({ asked: [0], outcome: "SCRAPE_ADDRESS_BLOCKED" })
    })
  )
})
