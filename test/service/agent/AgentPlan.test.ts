import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import type { AgentRequest } from "#contract/Agent"
import * as AgentPlan from "#service/agent/AgentPlan"
import type { Run } from "#service/agent/AgentStore"
import { approval, idOf, resultWith, turn } from "./runs.ts"

const plan = (request: AgentRequest, before: ReadonlyArray<Run> = []) => AgentPlan.ofRequest(request, before)
const schema = { type: "object", properties: { name: { type: "string" } } }

describe("the plan of a run", () => {
  it.effect("has the specification's defaults where the request is silent or says null", () =>
    Effect.gen(function* () {
      const silent = yield* plan({ prompt: "lamps" })
      const nothing = yield* plan({
        prompt: "lamps",
        urls: null,
        schema: null,
        effort: null,
        maxCredits: null,
        mode: null,
        exchange: null,
        strictConstrainToURLs: null
      })

      expect(silent).toMatchObject({
        wanted: { schema: undefined, prompt: "lamps" },
        urls: [],
        isStrict: false,
        maxCredits: 2500,
        mode: "extract",
        exchange: { enabled: true, maxCalls: 5, requireApproval: false, onTermsRequired: "skip" }
      })
      expect(nothing).toEqual(silent)
    })
  )

  it.effect("looks further the more effort it has", () =>
    Effect.gen(function* () {
      const reaches = yield* Effect.forEach(["low", "medium", "high"] as const, (effort) =>
        plan({ prompt: "x", effort })
      )

      expect(reaches.map(({ depth, pages, turns }) => [pages, depth, turns])).toEqual([
        [10, 1, 10],
        [40, 2, 30],
        [150, 4, 100]
      ])
    })
  )

  it.effect("takes a picture or the HTML of pages only where its own prompt asks for it", () =>
    Effect.gen(function* () {
      const before = [turn(1, { prompt: "take screenshots" })]
      const plans = yield* Effect.all([
        plan({ prompt: "take a screenshot of it" }),
        plan({ prompt: "keep the HTML" }),
        plan({ prompt: "and the price" }, before)
      ])

      expect(plans.map(({ scrape }) => [scrape.needsBrowser, scrape.formats.has("html")])).toEqual([
        [true, false],
        [false, true],
        [false, false]
      ])
    })
  )

  it.effect("is 422 where the schema is none", () =>
    Effect.gen(function* () {
      const problem = yield* Effect.flip(plan({ prompt: "x", schema: { type: "lamp" } }))

      expect([problem._tag, problem.message]).toEqual(["Unprocessable", expect.stringContaining("is not valid")])
    })
  )
})

describe("the plan of a further turn", () => {
  it.effect("goes on with what earlier turns said, of each thing the last", () =>
    Effect.gen(function* () {
      const before = [
        turn(1, {
          prompt: "lamps",
          urls: ["http://a.test/"],
          schema: { type: "array" },
          strictConstrainToURLs: true,
          exchange: { enabled: false, onTermsRequired: "ask", toolkits: ["sample-gazetteer"], maxCalls: 1 }
        }),
        turn(2, { prompt: "oak", schema, urls: [], exchange: { enabled: true } })
      ]
      const next = yield* plan({ prompt: "cheap" }, before)

      expect(next).toMatchObject({
        words: "lamps\noak\ncheap",
        wanted: { schema },
        isStrict: true,
        exchange: { enabled: true, onTermsRequired: "ask", toolkits: ["sample-gazetteer"], maxCalls: 5 }
      })
      expect(next.urls.map(({ href }) => href)).toEqual(["http://a.test/"])
    })
  )

  it.effect("says otherwise where it says anything", () =>
    Effect.gen(function* () {
      const before = [
        turn(1, {
          prompt: "lamps",
          urls: ["http://a.test/"],
          strictConstrainToURLs: true,
          exchange: { onTermsRequired: "ask", requireApproval: true }
        })
      ]
      const next = yield* plan(
        {
          prompt: "x",
          urls: [" http://b.test/#x "],
          strictConstrainToURLs: false,
          exchange: { onTermsRequired: "skip", requireApproval: false }
        },
        before
      )

      expect(next).toMatchObject({ isStrict: false, exchange: { onTermsRequired: "skip", requireApproval: false } })
      expect(next.urls.map(({ href }) => href)).toEqual(["http://b.test/"])
    })
  )

  it.effect("of very many keeps the last of their words", () =>
    Effect.gen(function* () {
      const before = Array.from({ length: 9 }, (_, index) => turn(index + 1, { prompt: "x".repeat(10_000) }))
      const { words } = yield* plan({ prompt: "the last words" }, before)

      expect(words).toHaveLength(20_000)
      expect(words.endsWith("\nthe last words")).toBe(true)
    })
  )

  it.effect("offers no provider again that the thread has refused", () =>
    Effect.gen(function* () {
      const declined = { approved: false, callIds: [], always: false, byRunId: idOf(2) }
      const before = [
        turn(1, { prompt: "x" }, { result: JSON.stringify(resultWith(approval("a", "terms"))), resolution: declined }),
        turn(2, { prompt: "no" })
      ]

      expect((yield* plan({ prompt: "x" }, before)).exchange.declined).toEqual(new Set(["sample-gazetteer"]))
      expect((yield* plan({ prompt: "x" }, before.slice(1))).exchange.declined).toEqual(new Set())
    })
  )

  it.effect("may make paid calls in the turn that approves them, and later only where always was said", () =>
    Effect.gen(function* () {
      const approved = (always: boolean) => ({ approved: true, callIds: ["a-call"], always, byRunId: idOf(2) })
      const answered = (always: boolean) =>
        turn(
          1,
          { prompt: "x", exchange: { requireApproval: true } },
          { result: JSON.stringify(resultWith(approval("a", "calls"))), resolution: approved(always) }
        )
      const approve = { prompt: "yes", exchange: { approve: { approvalId: "a" } } }
      const plans = yield* Effect.all([
        plan(approve, [answered(false)]),
        plan({ prompt: "more" }, [answered(false), turn(2, approve)]),
        plan({ prompt: "more" }, [answered(true), turn(2, approve)])
      ])

      expect(plans.map(({ exchange }) => [...exchange.approved])).toEqual([
        ["sample-gazetteer"],
        [],
        ["sample-gazetteer"]
      ])
    })
  )

  it.effect("passes over turns that can no longer be read", () =>
    Effect.gen(function* () {
      const broken = turn(1, { prompt: "x" })
      const { words } = yield* plan({ prompt: "y" }, [{ ...broken, job: { ...broken.job, request: "{" }, result: "{" }])

      expect(words).toBe("y")
    })
  )
})
