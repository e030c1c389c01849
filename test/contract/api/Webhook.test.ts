import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { served } from "../../service/served.ts"

const choices = '"started" or "page" or "completed" or "failed"'

/** What the service answers to a job with this webhook. */
const refusal = Effect.fnUntraced(function* (path: string, webhook: unknown) {
  const service = yield* served()
  const where = path === "/v2/crawl" ? { url: "http://127.0.0.1:9/" } : { urls: ["http://127.0.0.1:9/"] }
  const { status, body } = yield* service.ask("POST", path, { body: { ...where, webhook } })
  const { body: active } = yield* service.ask("GET", "/v2/crawl/active")
  expect(active.crawls).toEqual([])
  return { status, details: body.details }
})

describe("a webhook in a request", () => {
  it.live.each([
    ["/v2/crawl", "crawl"],
    ["/v2/batch/scrape", "batch_scrape"]
  ] as const)("of %s that wants an unknown event is refused with the choices", ([path, group]) =>
    Effect.gen(function* () {
      const grouped = choices.replaceAll(/"(\w+)"/g, `"${group}.$1"`)

      expect(yield* refusal(path, { url: "https://a.example/", events: ["page", "done"] })).toEqual({
        status: 400,
        details: [{ path: ["webhook", "events", 1], message: `must be ${choices} or ${grouped}` }]
      })
    })
  )

  it.live.each([
    [
      "a header whose name breaks the request",
      { url: "https://a.example/", headers: { "a b": "c" } },
      "is not a header name"
    ],
    [
      "a header whose value begins another header",
      { url: "https://a.example/", headers: { a: "b\r\nc: d" } },
      "is not a header value"
    ],
    ["no URL", {}, "is missing"],
    ["a URL that is none", { url: "a.example" }, "Invalid URL"],
    ["a URL of another scheme", "ftp://a.example/", "Invalid URL"],
    ["an unknown field", { url: "https://a.example/", event: [] }, "unknown field"],
    ["a number for it", 7, "must be a URL or an object"]
  ] as const)("is refused with %s", ([_what, webhook, message]) =>
    Effect.gen(function* () {
      const { status, details } = yield* refusal("/v2/crawl", webhook)

      expect(status).toBe(400)
      expect(details).toEqual([
        { path: expect.arrayContaining(["webhook"]), message: expect.stringContaining(message) }
      ])
    })
  )
})
