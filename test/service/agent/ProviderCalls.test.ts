import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import type { Provider } from "#service/Provider"
import * as ProviderCalls from "#service/ProviderCalls"
import { gazetteer, json, servedGazetteer } from "./gazetteer.ts"

const strict = { allowPrivate: false, resolve: new Map() }
const asked = { query: "capital of Iceland", options: { language: "en" } }

/** Why a provider gave no records. */
const whyNot = Effect.fnUntraced(function* (
  provider: Provider,
  guard: Parameters<typeof ProviderCalls.open>[0] = strict
) {
  const call = yield* ProviderCalls.open(guard)
  return yield* Effect.flip(call(provider, asked))
})

describe("a call of a provider", () => {
  it.effect("sends what is asked, with the headers of the operator, and gives the records", () =>
    Effect.gen(function* () {
      const { asked: got, provider } = yield* servedGazetteer()
      const call = yield* ProviderCalls.open(strict)
      const records = yield* call(provider, asked)

      expect(records).toMatchObject([{ country: "Iceland", capital: "Reykjavik" }])
      expect(got).toEqual([
        {
          method: "POST",
          key: "Bearer gazetteer-key",
          body: { capability: "countries/lookup", query: "capital of Iceland", options: { language: "en" } }
        }
      ])
    })
  )

  it.effect("fails in words for the caller, without the address and the key, whatever the provider does", () =>
    Effect.gen(function* () {
      const why = Effect.fnUntraced(function* (answer: Parameters<typeof servedGazetteer>[0], change = {}) {
        const { provider } = yield* servedGazetteer(answer)
        const { isLate, message } = yield* whyNot({ ...provider, ...change })
        expect(message).toMatch(
          /^the data provider Sample Gazetteer \(sample-gazetteer\) gave no records: .*nothing was/
        )
        expect(message).not.toMatch(/127\.0\.0\.1|gazetteer-key/)
        expect(isLate).toBe(false)
        return message.replace(/^.*? gave no records: |; nothing was charged$/g, "")
      })
      const shape = "its answer is not JSON of the shape { records: [{ name: value, ... }, ...] }"

      expect(yield* why((_, response) => json(response, "no", 503))).toBe("it answered with status 503")
      expect(yield* why((_, response) => void response.writeHead(302, { location: "/" }).end())).toBe(
        "it answered with status 302, and redirects are not followed"
      )
      expect(yield* why((_, response) => json(response, "<p>records</p>"))).toBe(shape)
      expect(yield* why((_, response) => json(response, ""))).toBe(shape)
      expect(yield* why((_, response) => json(response, [{ country: "Peru" }]))).toBe(shape)
      expect(yield* why((_, response) => json(response, { records: ["Peru"] }))).toBe(shape)
      expect(yield* why((_, response) => json(response, { records: { country: "Peru" } }))).toBe(shape)
      expect(yield* why((_, response) => json(response, `{"records":[{"a":${"[".repeat(50_000)}`))).toBe(
        "its answer is nested deeper than 100 levels"
      )
      expect(yield* why((_, response) => json(response, { records: [{}, {}, {}] }), { maxRecords: 2 })).toBe(
        "it gave 3 records, and 2 are allowed"
      )
      expect(
        yield* why((_, response) => json(response, { records: [{ a: "x".repeat(1000) }] }), { maxBytes: 999 })
      ).toBe("its answer is larger than 999 bytes")
      expect(yield* why((_, response) => void response.destroy())).toMatch(/closed the connection/)
    })
  )

  it.effect("reads no more of an answer without end than it may", () =>
    Effect.gen(function* () {
      const { provider } = yield* servedGazetteer((_request, response) => {
        const more = () => {
          while (!response.destroyed && response.write("x".repeat(10_000)));
          if (!response.destroyed) response.once("drain", more)
        }
        response.writeHead(200)
        more()
      })

      expect((yield* whyNot(provider)).message).toContain("its answer is larger than 100000 bytes")
    })
  )

  it.effect("ends when its time is over, whether nothing comes or it drips", () =>
    Effect.gen(function* () {
      for (const begins of [false, true]) {
        const reached = Promise.withResolvers<void>()
        const { provider } = yield* servedGazetteer((_request, response) => {
          if (begins) response.write('{"records": [')
          reached.resolve()
        })
        const waiting = yield* Effect.forkChild(whyNot(provider))
        yield* Effect.promise(() => reached.promise)
        yield* TestClock.adjust("20 seconds")
        const { isLate, message } = yield* Fiber.join(waiting)

        expect(isLate).toBe(true)
        expect(message).toContain("no complete answer within 20 s")
      }
    })
  )

  it.effect("says that nobody listens there", () =>
    Effect.gen(function* () {
      const { close, provider } = yield* servedGazetteer()
      close()

      expect((yield* whyNot(provider)).message).toContain("gave no records: the host refuses the connection")
    })
  )

  it.effect("reaches this machine where the operator has named it, and no other private address", () =>
    Effect.gen(function* () {
      const inside = { ...gazetteer, endpoint: new URL("https://10.0.0.1/lookup") }
      const { asked: got, provider } = yield* servedGazetteer()
      const byName = new URL(provider.endpoint)
      byName.hostname = "localhost.example"
      const lookup: ProviderLookup = (_host, _options, callback) =>
        callback(null, [{ address: "127.0.0.1", family: 4 }])
      const rebound = yield* whyNot({ ...provider, endpoint: byName }, { ...strict, lookup })

      expect((yield* whyNot(inside)).message).toContain("10.0.0.1 is not a public address")
      expect(rebound.message).toContain("is not a public address")
      expect(got).toEqual([])
    })
  )

  it.effect("goes where the operator has mapped the name", () =>
    Effect.gen(function* () {
      const { asked: got, provider } = yield* servedGazetteer()
      const endpoint = new URL("http://gazetteer.test/lookup")
      const resolve = new Map([["gazetteer.test", { address: "127.0.0.1", port: Number(provider.endpoint.port) }]])
      const call = yield* ProviderCalls.open({ ...strict, resolve })

      expect(yield* call({ ...provider, endpoint }, asked)).toHaveLength(1)
      expect(got).toHaveLength(1)
    })
  )
})

type ProviderLookup = NonNullable<Parameters<typeof ProviderCalls.open>[0]["lookup"]>
