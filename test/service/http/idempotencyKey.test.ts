import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { idempotencyHeader } from "#contract/idempotencyHeader"
import { served } from "../served.ts"

const url = "http://site.test/"
const bodies = {
  crawl: { url, limit: 1 },
  "batch/scrape": { urls: [url] },
  extract: { urls: [url], prompt: "a price" },
  agent: { urls: [url], prompt: "a price" }
}

it.live("an idempotency key that is empty or of more than 500 characters is 400, and starts nothing", () =>
  Effect.gen(function* () {
    const { ask } = yield* served()
    for (const [path, body] of Object.entries(bodies)) {
      for (const [length, status] of [
        [0, 400],
        [501, 400],
        [500, 200],
        [500, 409]
      ] as const) {
        const key = path.slice(0, 1).repeat(length)
        const answer = yield* ask("POST", `/v2/${path}`, { body, headers: { [idempotencyHeader]: key } })
        expect([path, length, answer.status]).toEqual([path, length, status])
        if (status === 400) expect(answer.body.details).toMatchObject([{ path: [idempotencyHeader] }])
      }
    }
  })
)
