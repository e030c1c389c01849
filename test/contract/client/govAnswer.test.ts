import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { govAnswer } from "#contract/govAnswer"
import { inTime } from "../../connectors/webdata/scriptedJobs.ts"
import { type Reply, scriptedService } from "./scriptedService.ts"

const hits = { success: true, data: { web: [] }, more: "of a later version" }

/** What is answered where the service says these one after the other, and what it was asked. */
const answered = (query: string, ...replies: ReadonlyArray<Reply>) =>
  Effect.gen(function* () {
    const service = scriptedService((_what, turn) => replies[turn - 1] ?? { status: 200, body: hits })
    const answer = yield* Effect.result(inTime(Effect.provide(govAnswer({ query, k: 5 }), service.layer)))
    return { answer, asked: service.asked }
  })

describe("a question to the government search", () => {
  it.effect("is a GET, and its answer is handed on as it came", () =>
    Effect.gen(function* () {
      const { answer, asked } = yield* answered("17 U.S.C. § 101")

      expect(asked.map(({ what }) => what)).toEqual(["GET /v2/search/gov?query=17+U.S.C.+%C2%A7+101&k=5"])
      expect(answer).toMatchObject({ success: { kind: "hits", text: JSON.stringify(hits) } })
    })
  )

  it.effect("is asked again after 429, not before Retry-After, and after 502, 504 and a broken line", () =>
    Effect.gen(function* () {
      const { answer, asked } = yield* answered(
        "a",
        { status: 429, headers: { "retry-after": "40" } },
        { status: 502 },
        { status: 504 },
        "broken"
      )

      expect(asked).toHaveLength(5)
      expect((asked[1]?.at ?? 0) - (asked[0]?.at ?? 0)).toBeGreaterThanOrEqual(40_000)
      expect(answer).toMatchObject({ success: { kind: "hits" } })
    })
  )

  it.effect("fails with what the service says where it cannot answer five times", () =>
    Effect.gen(function* () {
      const down: Reply = { status: 502, body: { success: false, error: "Bad Gateway: the index is being built" } }
      const { answer, asked } = yield* answered("a", down, down, down, down, down)

      expect(asked).toHaveLength(5)
      expect(answer).toMatchObject({
        failure: { _tag: "BadGateway", message: "Bad Gateway: the index is being built" }
      })
    })
  )

  it.effect("that the service refuses for what it says is answered by the refusal, once", () =>
    Effect.gen(function* () {
      const { answer, asked } = yield* answered("a", { status: 400, body: { success: false, error: "Bad Request" } })

      expect(asked).toHaveLength(1)
      expect(answer).toMatchObject({ success: { kind: "refused", text: '{"success":false,"error":"Bad Request"}' } })
    })
  )

  it.effect("that is too long for a URL is a POST", () =>
    Effect.gen(function* () {
      const { answer, asked } = yield* answered("law ".repeat(2000))

      expect(asked.map(({ what }) => what)).toEqual(["POST /v2/search/gov"])
      expect(answer).toMatchObject({ success: { kind: "hits" } })
    })
  )
})
