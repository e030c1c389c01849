import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { served } from "../../service/served.ts"

const urls = ["http://127.0.0.1:9/"]
const schema = { type: "object", properties: { name: { type: "string" } } }

/** What the service answers to an extract that is told this. */
const answers = (...bodies: ReadonlyArray<object>) =>
  Effect.gen(function* () {
    const service = yield* served()
    return yield* Effect.forEach(bodies, (body) => service.ask("POST", "/v2/extract", { body }))
  })

describe("the request of an extract", () => {
  it.live("needs a prompt, a schema or both, and takes no URLs, null and what clients send beside", () =>
    Effect.gen(function* () {
      const taken = yield* answers(
        { urls, prompt: "x" },
        { urls, schema },
        { urls, schema, prompt: null, origin: "js-sdk", integration: null },
        { urls: [], prompt: "x" },
        { urls: null, prompt: "x", enableWebSearch: true, showSources: true, agent: { model: "any" } },
        { urls, prompt: "x", scrapeOptions: { formats: [{ type: "json", prompt: "y", schema }] } }
      )
      const refused = yield* answers({ urls }, { urls, prompt: "" }, { urls, prompt: null, schema: null })

      expect(taken.map(({ status }) => status)).toEqual(taken.map(() => 200))
      expect(taken[0]?.body).toMatchObject({
        success: true,
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        warnings: [expect.stringContaining("superseded")],
        replacement: "/v2/agent"
      })
      expect(refused.map(({ body, status }) => [status, body.details[0].path])).toEqual(
        refused.map(() => [400, ["prompt"]])
      )
    })
  )

  it.live("is 400 where it is malformed, and 422 where its schema is none", () =>
    Effect.gen(function* () {
      const refused = yield* answers(
        { urls: "http://a.test/", prompt: "x" },
        { urls: Array(1001).fill(urls[0]), prompt: "x" },
        { urls, prompt: "x", lamps: 1 },
        { urls: ["lamp"], prompt: "x" },
        { urls: ["lamp", ...urls], prompt: "x", ignoreInvalidURLs: false },
        { urls, prompt: "x", webhook: { url: "http://a.test/", events: ["action"] } },
        { urls, schema: { type: "lamp" } },
        { urls, schema: { type: "object", properties: { a: { $ref: "#/nowhere" } } } },
        { urls, schema: { type: "object", title: "x".repeat(200_000) } }
      )

      expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400, 422, 422, 422])
    })
  )
})
