import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { served } from "../../service/served.ts"

/** What the service answers to a run that is told this. */
const answers = (...bodies: ReadonlyArray<object>) =>
  Effect.gen(function* () {
    const service = yield* served()
    return yield* Effect.forEach(bodies, (body) => service.ask("POST", "/v2/agent", { body }))
  })

const prompt = "the lamp"
const urls = ["http://127.0.0.1:9/"]

describe("the request of a run", () => {
  it.live("is taken with what public clients send beside, and with null for silence", () =>
    Effect.gen(function* () {
      const taken = yield* answers(
        { prompt, urls, origin: "js-sdk", integration: "cli", toolDetail: "full", zeroDataRetention: false },
        { prompt, urls, model: null, effort: null, schema: null, webhook: null, threadId: null, exchange: null },
        ...["core-1", "core-1-mini", "core-2", "spark-1-pro", "spark-1-mini", "spark-2"].map((model) => ({
          prompt,
          urls,
          model
        })),
        { prompt, urls, maxCredits: 100_000, mode: "chat", effort: "high", strictConstrainToURLs: true }
      )

      expect(taken.map(({ status }) => status)).toEqual(taken.map(() => 200))
    })
  )

  it.live("is 400 for what is unknown, missing, empty, too long or none of the choices, told field by field", () =>
    Effect.gen(function* () {
      const refused = yield* answers(
        { urls },
        { prompt: "" },
        { prompt: "x".repeat(10_001) },
        { prompt, lamps: 1 },
        { prompt, model: "gpt-9" },
        { prompt, effort: "most" },
        { prompt, urls: ["file:///etc/passwd"] },
        { prompt, maxCredits: 0 },
        { prompt, maxCredits: 1.5 },
        { prompt, mode: "dream" },
        { prompt, schema: [] },
        { prompt, exchange: { onTermsRequired: "always" } },
        { prompt, exchange: { approve: {} } },
        { prompt, webhook: { url: "http://a.test/", events: ["page"] } }
      )

      expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 400))
      expect(refused.map(({ body }) => body.details?.[0]?.path.join("."))).toEqual([
        "prompt",
        "prompt",
        "prompt",
        "lamps",
        "model",
        "effort",
        "urls.0",
        "maxCredits",
        "maxCredits",
        "mode",
        "schema",
        "exchange.onTermsRequired",
        "exchange.approve.approvalId",
        "webhook.events.0"
      ])
    })
  )

  it.live("takes a prompt of ten thousand characters, and a list before any number", () =>
    Effect.gen(function* () {
      const service = yield* served()
      const long = yield* service.ask("POST", "/v2/agent", { body: { prompt: "x".repeat(10_000), urls } })
      const lists = yield* Effect.forEach(["0", "1.5", "1e300", "-1", "9007199254740993"], (before) =>
        service.ask("GET", `/v2/agent?before=${before}`)
      )
      const none = yield* service.ask("GET", "/v2/agent?before=soon")

      expect(long.status).toBe(200)
      expect(lists.map(({ status }) => status)).toEqual(lists.map(() => 200))
      expect(none.status).toBe(400)
    })
  )
})
