import { describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { Fetch, type FetchResult } from "#web/Fetch"
import { PoliteFetch } from "#web/PoliteFetch"
import { Politeness } from "#web/Politeness"

/** When a host is asked for its second page that said this of its first. */
const secondAfter = Effect.fnUntraced(function* (said: Partial<FetchResult>) {
  yield* TestClock.setTime(0)
  const asked: Array<number> = []
  const get = Effect.fnUntraced(function* () {
    asked.push(yield* Clock.currentTimeMillis)
    const answer: FetchResult = {
      status: 200,
      retryAfter: undefined,
      contentType: undefined,
      location: undefined,
      body: new Uint8Array(),
      ...(asked.length === 1 ? said : {})
    }
    return answer
  })
  const layer = PoliteFetch.layer.pipe(
    Layer.provide([Layer.succeed(Fetch, Fetch.of({ get })), Politeness.layer({ perHost: 8 })])
  )
  const pages = Effect.gen(function* () {
    const polite = yield* PoliteFetch
    const first = yield* polite.get(new URL("http://site.test/a"), { timeoutMillis: 1000 }, 0)
    yield* polite.get(new URL("http://site.test/b"), { timeoutMillis: 1000 }, 0)
    return first.status
  })
  const fiber = yield* Effect.forkChild(Effect.provide(pages, layer))
  yield* TestClock.adjust("10 minutes")
  return [yield* Fiber.join(fiber), asked[1]]
})

describe("a polite fetch", () => {
  it.effect("gives the answer as it is, and leaves a host alone that asks for it, for all its pages", () =>
    Effect.gen(function* () {
      expect(yield* secondAfter({ status: 200 })).toEqual([200, 0])
      expect(yield* secondAfter({ status: 429, retryAfter: "7" })).toEqual([429, 7000])
      expect(yield* secondAfter({ status: 503, retryAfter: "3" })).toEqual([503, 3000])
      expect(yield* secondAfter({ status: 429 })).toEqual([429, 1000])
    })
  )

  it.effect("takes a 503 that says nothing, and a 500 that says something, for the page's own", () =>
    Effect.gen(function* () {
      expect(yield* secondAfter({ status: 503 })).toEqual([503, 0])
      expect(yield* secondAfter({ status: 500, retryAfter: "9" })).toEqual([500, 0])
    })
  )
})
