import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { agent } from "#connectors/webdata/index"
import type { WebData } from "#contract/WebData"
import * as SourceSuite from "#testing/SourceSuite"
import type { Reply } from "../../../contract/client/scriptedService.ts"
import { completed, factsOf, inTime, jobService, readAll, rowsOf } from "../scriptedJobs.ts"

const urls = Array.from("abcdef", (name) => `http://jobs.test/${name}`)
const prompt = "the open posts"
const schema = {
  type: "array",
  items: { type: "object", required: ["post"], properties: { post: { type: "string" }, place: { type: "string" } } }
}
const artifact = { kind: "json", artifactId: "a1", path: "result.json", snapshotId: "s1", change: "init", itemCount: 3 }

let sequence = 0
const eventOf = (run: string, type: string, more: object = {}) => ({
  schemaVersion: 1,
  eventId: `${run} ${++sequence}`,
  runId: run,
  occurredAt: "2026-01-01T00:00:00.250Z",
  producerSequence: sequence,
  agent: { id: "o", role: "orchestrator", name: "orchestrator" },
  type,
  ...more
})

/** The trace of a run that scraped this, with its end from the second reading on. */
const traces = (outcome: string, unread: ReadonlyArray<string> = []) => {
  const readings = new Map<string, number>()
  return (what: string): Reply | undefined => {
    const [, run = "", part = ""] = /^GET \/v2\/agent\/([^/]+)\/(trace|snapshots)/.exec(what) ?? []
    if (part === "snapshots") {
      return { status: 200, body: { success: true, id: run, snapshotId: "s1", snapshot: `{"of":"${run}"}` } }
    }
    if (part !== "trace") return undefined
    const reading = (readings.get(run) ?? 0) + 1
    readings.set(run, reading)
    const scraped = unread.flatMap((url, at) => [
      eventOf(run, "tool_call.started", { toolCallId: `${at}`, toolName: "scrape", parameters: { url } }),
      eventOf(run, "tool_call.finished", { toolCallId: `${at}`, toolName: "scrape", result: { success: false } })
    ])
    const end = reading === 1 ? [] : [eventOf(run, "run.finished", { outcome, error: null })]
    const events = [eventOf(run, "artifact.updated", { artifact }), ...scraped, ...end]
    return { status: 200, body: { success: true, id: run, events, creditsUsed: 3 } }
  }
}

const oneEach = (request: { readonly urls: ReadonlyArray<string> }) =>
  completed(
    request.urls.map((url) => ({ post: url, place: null })),
    Object.fromEntries(request.urls.map((url, at) => [`/${at}/post`, url])),
    { message: "done" }
  )

describe("the agent source", () => {
  it.effect("gives the data of its runs, the runs, their events, and what they wrote", () =>
    Effect.gen(function* () {
      const service = jobService("agent", oneEach, traces("succeeded", [urls[5] ?? ""]))
      const elements = yield* readAll(agent.with({ prompt, urls, schema }), service)

      expect(service.jobs.map(({ request }) => request)).toEqual([
        { prompt, schema, showSources: true, urls: urls.slice(0, 3) },
        { prompt, schema, showSources: true, urls: urls.slice(3) }
      ])
      expect(
        rowsOf(elements, "agent_data")
          .map(({ post }) => post)
          .toSorted()
      ).toEqual(urls)
      expect(rowsOf(elements, "agent_data__sources")).toHaveLength(6)
      expect(rowsOf(elements, "agent_runs")).toMatchObject(
        [0, 1].map(() => ({ status: "completed", outcome: "succeeded", prompt, message: "done", model: "core-2" }))
      )
      // The trace was read until its end was in it.
      const finished = rowsOf(elements, "agent_events").filter(({ type }) => type === "run.finished")
      expect(finished).toMatchObject([0, 1].map(() => ({ role: "orchestrator", occurred_at: 1_767_225_600_250_000n })))
      expect(rowsOf(elements, "agent_snapshots")).toMatchObject(
        [0, 1].map(() => ({ snapshot_id: "s1", path: "result.json", item_count: 3, content: null }))
      )
      expect(factsOf(elements)).toMatchObject({ discovered: 6, read: 5, failed: 1, credits: 6, filled: 6, missing: 0 })
    })
  )

  it.effect("reads what runs wrote where it is told, and leaves the trace where it is told", () =>
    Effect.gen(function* () {
      const service = jobService("agent", oneEach, traces("succeeded"))
      const elements = yield* readAll(
        agent.with({ prompt, schema, urls: ["http://a.test/"], snapshots: true, trace: false }),
        service
      )

      expect(rowsOf(elements, "agent_events")).toEqual([])
      expect(rowsOf(elements, "agent_snapshots")).toMatchObject([{ content: `{"of":"${service.jobs[0]?.id}"}` }])
      expect(elements.at(-1)?._tag).toBe("Checkpoint")
    })
  )

  it.effect("writes down a run that failed, and fails only where every run did", () =>
    Effect.gen(function* () {
      const failing = { status: "failed", success: false, error: "the credits are spent", creditsUsed: 0 }
      const some = jobService(
        "agent",
        (request, at) => (at === 0 ? failing : oneEach(request)),
        traces("credit_limit_reached")
      )
      const elements = yield* readAll(agent.with({ prompt, urls, schema }), some)
      const all = yield* Effect.flip(
        readAll(
          agent.with({ prompt, urls, schema }),
          jobService("agent", () => failing, traces("failed"))
        )
      )

      expect(rowsOf(elements, "agent_runs")).toContainEqual(
        expect.objectContaining({ status: "failed", outcome: "credit_limit_reached", error: "the credits are spent" })
      )
      expect(factsOf(elements)).toMatchObject({ discovered: 6, read: 3, failed: 3 })
      expect(all.message).toBe("every job failed; the last error: the credits are spent")
    })
  )

  it.effect("has one column data where there is no schema, and asks once where there is no URL", () =>
    Effect.gen(function* () {
      const service = jobService("agent", () => completed({ answer: 42 }), traces("succeeded"))
      const elements = yield* readAll(agent.with({ prompt }), service)

      expect(service.jobs.map(({ request }) => request)).toEqual([{ prompt, showSources: true }])
      expect(rowsOf(elements, "agent_data")).toMatchObject([{ data: { answer: 42 }, _source_url: null }])
      expect(factsOf(elements)).toMatchObject({ discovered: 1, read: 1, failed: 0 })
    })
  )
})

describe("the agent source keeps the laws of a source", () => {
  const subject: SourceSuite.Subject<WebData> = {
    reader: Effect.sync(() => agent.with({ prompt, urls, schema, snapshots: true })),
    layer: Layer.fresh(Layer.suspend(() => jobService("agent", oneEach, traces("succeeded")).layer)),
    volatile: [
      "_job_id",
      "run_id",
      "thread_id",
      "event_id",
      "_parent_job_id",
      "_fetched_at",
      "started_at",
      "ended_at"
    ].concat(["content", "event", "sequence"])
  }
  // An agent has one checkpoint, at its end: what resumes between two has nothing to try.
  const laws = SourceSuite.laws.filter(({ sentence }) => !/then from it|failing after/.test(sentence))
  for (const law of laws) it.effect(law.sentence, () => inTime(SourceSuite.check(law, subject)))
})
