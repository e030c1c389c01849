import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { expect } from "vitest"
import { AgentList, AgentStatus, AgentThread } from "#contract/Agent"
import { entryOf, statusOf, threadOf } from "#service/http/handlers/agent"
import { approval, idOf, resultWith, threadId, turn } from "./runs.ts"

const request = {
  prompt: "lamps",
  urls: ["http://site.test/"],
  schema: { type: "object" },
  effort: "low",
  model: "spark-1-mini",
  origin: "js-sdk",
  integration: "cli",
  exchange: { enabled: false, onTermsRequired: "ask" }
} as const

const done = turn(1, request)
const inState = (status: "scraping" | "failed" | "cancelled", result: object | null) =>
  turn(
    2,
    { prompt: "more" },
    {
      job: {
        ...done.job,
        id: idOf(2),
        status,
        error: status === "scraping" ? null : `it ${status}`,
        completedAt: status === "scraping" ? null : 9000,
        request: JSON.stringify({ prompt: "more" })
      },
      result: result === null ? null : JSON.stringify({ ...resultWith(), ...result })
    }
  )

const day = 24 * 3600 * 1000
const at = { now: 0, origin: "https://mill.example" }

const withUrl = (pending: ReturnType<typeof approval>, url: string) => ({
  ...pending,
  terms: pending.terms.map((one) => ({ ...one, url }))
})

describe("the status of a run", () => {
  it.effect("has its data and what it cost once it has completed", () =>
    Effect.gen(function* () {
      const status = statusOf(done, 7, at)

      expect(status).toMatchObject({
        success: true,
        status: "completed",
        data: { lamp: "Ash" },
        creditsUsed: 7,
        model: "core-2",
        effort: "low",
        threadId,
        threadTurn: 1,
        expiresAt: new Date(1500 + day).toISOString()
      })
      expect(status).not.toHaveProperty("outcome")
      yield* Schema.decodeUnknownEffect(AgentStatus)(status)
    })
  )

  it.effect("is failed, without data and for nothing, where it failed or was cancelled", () =>
    Effect.gen(function* () {
      for (const state of ["failed", "cancelled"] as const) {
        const { data: _, ...rest } = { ...resultWith(), outcome: state }
        const status = statusOf({ ...inState(state, null), result: JSON.stringify(rest) }, 7, at)

        expect(status).toMatchObject({ success: false, status: "failed", error: `it ${state}`, creditsUsed: 0 })
        expect(status).not.toHaveProperty("data")
        yield* Schema.decodeUnknownEffect(AgentStatus)(status)
      }
    })
  )

  it.effect("is processing until then, kept for a day from now, with what it was told of providers", () =>
    Effect.gen(function* () {
      const running = { ...done, job: { ...done.job, status: "scraping" as const, completedAt: null }, result: null }
      const status = statusOf(running, 3, { ...at, now: 5000 })

      expect(status).toMatchObject({
        status: "processing",
        creditsUsed: 3,
        expiresAt: new Date(5000 + day).toISOString(),
        exchange: { enabled: false, onTermsRequired: "ask", paidCalls: 0, creditsUsed: null, skippedProviders: [] }
      })
      yield* Schema.decodeUnknownEffect(AgentStatus)(status)
    })
  )

  it.effect("says how an approval was answered, and null while it is open", () =>
    Effect.gen(function* () {
      const resolution = { approved: true, callIds: [], always: false, byRunId: idOf(2) }
      const asking = turn(1, request, { result: JSON.stringify(resultWith(approval("a", "terms"))) })
      const answered = statusOf({ ...asking, resolution }, 1, at)

      expect(statusOf(asking, 1, at).pendingApproval?.resolution).toBeNull()
      expect(answered.pendingApproval?.resolution).toEqual(resolution)
      yield* Schema.decodeUnknownEffect(AgentStatus)(answered)
    })
  )

  it("leads to terms that have no address of their own by the way that the caller came", () => {
    const offer = (url: string) => ({ ...resultWith(), pendingApproval: withUrl(approval("a", "terms"), url) })
    const placeOf = (url: string) =>
      statusOf(turn(1, request, { result: JSON.stringify(offer(url)) }), 1, at).pendingApproval?.terms[0]?.url

    expect(placeOf("/terms/sample-gazetteer")).toBe("https://mill.example/terms/sample-gazetteer")
    expect(placeOf("https://data.example/terms")).toBe("https://data.example/terms")
  })

  it("is told of a run whose result or request can no longer be read", () => {
    const broken = { ...done, job: { ...done.job, request: "{" }, result: "{" }

    expect(statusOf(broken, 1, at)).toMatchObject({ status: "completed", exchange: { onTermsRequired: "skip" } })
  })
})

describe("a list of runs", () => {
  it.effect("has of each its target in short, who started it and what it was told", () =>
    Effect.gen(function* () {
      const entries = [done.job, turn(2, { prompt: "x".repeat(500) }).job].map(entryOf)

      expect(entries).toMatchObject([
        {
          id: idOf(1),
          targetHint: "http://site.test/",
          origin: "js-sdk",
          integration: "cli",
          settings: { hidden: false, starred: false },
          status: "completed",
          options: { prompt: "lamps", model: "core-2", effort: "low", urls: ["http://site.test/"] }
        },
        { targetHint: "x".repeat(100), origin: "api" }
      ])
      yield* Schema.decodeUnknownEffect(AgentList)({ success: true, agents: entries })
    })
  )
})

describe("a thread of runs", () => {
  it.effect("has its turns with their outcomes, costs and ends, and their data where it is asked for", () =>
    Effect.gen(function* () {
      const runs = [done, inState("cancelled", { outcome: "cancelled" }), inState("scraping", null)]
      const thread = { id: threadId, teamId: "team", createdAt: 500 }
      const short = threadOf(thread, runs, () => 7, { origin: at.origin, withData: false })
      const whole = threadOf(thread, runs.slice(0, 2), () => 7, { origin: at.origin, withData: true })

      expect(short).toMatchObject({ status: "running", createdAt: new Date(500).toISOString() })
      expect(
        short.runs.map(({ creditsUsed, finishedAt, status }) => [status, creditsUsed, finishedAt !== null])
      ).toEqual([
        ["succeeded", 7, true],
        ["cancelled", 0, true],
        ["processing", null, false]
      ])
      expect(short.runs[0]).not.toHaveProperty("data")
      expect(whole.runs[0]).toMatchObject({ data: { lamp: "Ash" } })
      expect(whole).toMatchObject({ status: "idle", updatedAt: new Date(9000).toISOString() })
      yield* Schema.decodeUnknownEffect(AgentThread)({ success: true, thread: short })
      yield* Schema.decodeUnknownEffect(AgentThread)({ success: true, thread: whole })
    })
  )
})
