import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { expect } from "vitest"
import { AgentStore } from "#service/agent/AgentStore"
import { JobStore } from "#web/JobStore"
import { lampSchema, lampsSchema, origin, shop } from "../agent/shop.ts"
import { behindPort } from "../databases.ts"
import { receiver } from "../receiver.ts"
import { stores } from "../serviceParts.ts"

const uuid = "0190c0de-0000-7000-8000-000000000001"
const types = (trace: { readonly body: any }) => trace.body.events.map(({ type }: { type: string }) => type)

/** The specification's table of transitions (States and transitions, Agent run), row by row. */
describe("an agent run", () => {
  it.live("is processing once it is accepted: it has an id and a thread, and its webhook is told", () =>
    Effect.gen(function* () {
      const hook = yield* receiver()
      const { held, service } = yield* shop({}, { "/hook": hook.answer })
      const webhook = { url: `${origin}/hook`, metadata: { mine: 1 } }
      const { body, status } = yield* service.ask("POST", "/v2/agent", {
        body: { prompt: "the lamp", urls: [`${origin}/held`], webhook }
      })
      yield* held.reached
      const answer = yield* service.ask("GET", `/v2/agent/${body.id}`)
      const { payload } = yield* hook.next
      yield* held.open

      expect([status, body.success, body.threadTurn]).toEqual([200, true, 1])
      expect(answer.body).toMatchObject({
        success: true,
        status: "processing",
        model: "core-2",
        threadId: body.threadId
      })
      expect(answer.body).not.toHaveProperty("data")
      expect(payload).toMatchObject({ type: "agent.started", id: body.id, metadata: { mine: 1 }, success: true })
    })
  )

  it.live("is completed with its data where it succeeds, and its webhook is told of actions and the end", () =>
    Effect.gen(function* () {
      const hook = yield* receiver()
      const { ended, start } = yield* shop({}, { "/hook": hook.answer })
      const id = yield* start({
        prompt: "all lamps",
        urls: [`${origin}/lamps`],
        schema: lampsSchema,
        webhook: `${origin}/hook`
      })
      const answer = yield* ended(`/v2/agent/${id}`)
      const told = (yield* hook.untilEnd).map(({ payload }) => payload)

      expect(answer).toMatchObject({ success: true, status: "completed", engine: { name: "rules" } })
      expect(answer.data.lamps).toEqual([
        { name: "Ash lamp", price: 140 },
        { name: "Oak lamp", price: 90 },
        { name: "Elm lamp", price: 70.5 }
      ])
      expect(Date.parse(answer.expiresAt) - Date.parse(answer.createdAt)).toBeGreaterThanOrEqual(24 * 3600 * 1000)
      expect(told.map(({ type }) => type)).toEqual([
        "agent.started",
        ...told.slice(1, -1).map(() => "agent.action"),
        "agent.completed"
      ])
      expect(told.at(-1).data).toEqual([{ creditsUsed: answer.creditsUsed, data: answer.data }])
    })
  )

  it.live("is failed, with no data and nothing billed, where no page can be read", () =>
    Effect.gen(function* () {
      const hook = yield* receiver()
      const { ended, service, start } = yield* shop({}, { "/hook": hook.answer })
      const id = yield* start({ prompt: "the lamp", urls: [`${origin}/nowhere`], webhook: `${origin}/hook` })
      const answer = yield* ended(`/v2/agent/${id}`)
      const told = (yield* hook.untilEnd).map(({ payload }) => payload)
      const trace = yield* service.ask("GET", `/v2/agent/${id}/trace`)

      expect(answer).toMatchObject({ success: false, status: "failed", creditsUsed: 0 })
      expect(answer.error).toContain("the site answers 404")
      expect(answer).not.toHaveProperty("data")
      expect(told.at(-1)).toMatchObject({ type: "agent.failed", success: false })
      expect(trace.body.events.at(-1)).toMatchObject({
        type: "run.finished",
        outcome: "failed",
        error: { code: "internal" }
      })
    })
  )

  it.live("that is cancelled ends as failed after the step that is under way, with its credits given back", () =>
    Effect.gen(function* () {
      const hook = yield* receiver()
      const { ended, held, service, start } = yield* shop({}, { "/hook": hook.answer })
      const id = yield* start({
        prompt: "the lamp",
        urls: [`${origin}/held`],
        webhook: { url: `${origin}/hook`, events: ["agent.cancelled", "failed"] }
      })
      yield* held.reached
      const first = yield* service.ask("DELETE", `/v2/agent/${id}`)
      const again = yield* service.ask("DELETE", `/v2/agent/${id}`)
      const between = yield* service.ask("GET", `/v2/agent/${id}`)
      yield* held.open
      const answer = yield* ended(`/v2/agent/${id}`)
      const late = yield* service.ask("DELETE", `/v2/agent/${id}`)
      const trace = yield* service.ask("GET", `/v2/agent/${id}/trace`)
      const { payload } = yield* hook.next

      expect([first.status, first.body]).toEqual([200, { success: true }])
      expect([again.status, again.body.error]).toEqual([409, "Agent is already cancelled"])
      expect(between.body.status).toBe("processing")
      expect(answer).toMatchObject({ status: "failed", error: "the run was cancelled", creditsUsed: 0 })
      expect([late.status, late.body.error]).toEqual([409, "Agent already finished"])
      expect(types(trace)).toContain("run.cancel_requested")
      expect(trace.body.events.at(-1)).toMatchObject({ type: "run.finished", outcome: "cancelled" })
      expect(payload).toMatchObject({ type: "agent.cancelled", success: false, data: [{ creditsUsed: 0 }] })
    })
  )

  it.live("that reaches maxCredits fails without an HTTP error, without data, and costs nothing", () =>
    Effect.gen(function* () {
      const { ended, service, start } = yield* shop()
      const id = yield* start({ prompt: "lamps with sku", urls: [`${origin}/lamps`], maxCredits: 1 })
      const answer = yield* ended(`/v2/agent/${id}`)
      const trace = yield* service.ask("GET", `/v2/agent/${id}/trace`)
      const usage = yield* service.ask("GET", "/v2/team/credit-usage/historical")

      expect(answer).toMatchObject({ success: false, status: "failed", creditsUsed: 0 })
      expect(answer.error).toContain("Credit limit reached")
      expect(answer).not.toHaveProperty("data")
      expect(trace.body.events.at(-1)).toMatchObject({
        type: "run.finished",
        outcome: "credit_limit_reached",
        error: { code: "credit_limit_reached", retryable: true }
      })
      expect(usage.body.periods.map(({ creditsUsed }: { creditsUsed: number }) => creditsUsed)).toEqual([0])
    })
  )

  it.live("that has ended stays as it is when it is cancelled", () =>
    Effect.gen(function* () {
      const { ended, service, start } = yield* shop()
      const id = yield* start({ prompt: "the lamp", urls: [`${origin}/lamps/ash`], schema: lampSchema })
      const before = yield* ended(`/v2/agent/${id}`)
      const late = yield* service.ask("DELETE", `/v2/agent/${id}`)
      const after = yield* service.ask("GET", `/v2/agent/${id}`)

      expect([late.status, late.body.error]).toEqual([409, "Agent already finished"])
      expect(after.body).toMatchObject({ ...before, expiresAt: after.body.expiresAt })
    })
  )

  it.live("reads no page but those of urls where it is constrained to them", () =>
    Effect.gen(function* () {
      const { ended, requests, start } = yield* shop()
      const body = { prompt: "lamps with price and sku", urls: [`${origin}/lamps`], strictConstrainToURLs: true }
      yield* ended(`/v2/agent/${yield* start(body)}`)

      expect(requests).toEqual(["/lamps"])
    })
  )

  it.live("costs a team nothing for the first five of a day, and is charged from the sixth on", () =>
    Effect.gen(function* () {
      const { ended, service, start } = yield* shop()
      const used: Array<number> = []
      for (let run = 0; run < 7; run++) {
        const id = yield* start({ prompt: "the lamp", urls: [`${origin}/lamps/ash`], schema: lampSchema })
        const answer = yield* ended(`/v2/agent/${id}`)
        expect(answer.creditsUsed).toBe(1)
        const { body } = yield* service.ask("GET", "/v2/team/credit-usage/historical")
        used.push(body.periods[0].creditsUsed)
      }

      expect(used).toEqual([0, 0, 0, 0, 0, 1, 2])
    })
  )
})

describe("the trace of an agent run", () => {
  it.live("numbers the events of each agent, names a sub-agent for each host, and leads to its snapshots", () =>
    Effect.gen(function* () {
      const { ended, service, start } = yield* shop()
      const urls = [`${origin}/lamps/ash`, "http://other.test/lamps/oak"]
      const id = yield* start({ prompt: "the lamps", urls, schema: lampsSchema, strictConstrainToURLs: true })
      yield* ended(`/v2/agent/${id}`)
      const { body } = yield* service.ask("GET", `/v2/agent/${id}/trace?liveView=true`)
      const events: ReadonlyArray<any> = body.events
      const byAgent = Object.groupBy(events, ({ agent }): string => agent.id)
      const artifacts = events.filter(({ type }) => type === "artifact.updated")
      const contents = yield* Effect.forEach(artifacts, ({ artifact }) =>
        Effect.map(service.ask("GET", `/v2/agent/${id}/snapshots/${artifact.snapshotId}`), ({ body }) => ({
          kind: String(artifact.kind),
          text: String(body.snapshot)
        }))
      )

      expect(Object.keys(byAgent)).toEqual(["orchestrator", "reader-1", "reader-2"])
      for (const events of Object.values(byAgent)) {
        expect(events?.map(({ producerSequence }) => producerSequence)).toEqual(events?.map((_, index) => index + 1))
      }
      expect(byAgent["reader-2"]?.[0]).toMatchObject({
        type: "agent.started",
        agent: { role: "subagent", name: "other.test", parentId: "orchestrator" }
      })
      expect(body.events[0].type).toBe("run.started")
      expect(body.events.at(-1)).toMatchObject({ type: "run.finished", outcome: "succeeded", error: null })
      expect(body.activeBrowserSessions).toEqual([])
      expect(contents.filter(({ kind }) => kind === "markdown").map(({ text }) => text.split("\n")[0])).toEqual(
        expect.arrayContaining(["# Ash lamp", "# Oak lamp"])
      )
      expect(JSON.parse(contents.findLast(({ kind }) => kind === "json")?.text ?? "{}").lamps).toHaveLength(2)
    })
  )
})

describe("the list of agent runs", () => {
  it.live("has twenty on a page, newest first, and a next page where there are more", () =>
    Effect.gen(function* () {
      const { ended, service, start } = yield* shop()
      const ids: Array<string> = []
      for (let run = 0; run < 23; run++) {
        const id = yield* start({
          prompt: `lamp ${run}`,
          urls: [`${origin}/lamps/ash`],
          effort: "low",
          origin: "js-sdk"
        })
        yield* ended(`/v2/agent/${id}`)
        ids.unshift(id)
      }
      const first = yield* service.ask("GET", "/v2/agent")
      const second = yield* service.ask("GET", first.body.next.slice(service.url.length))
      const listed = [...first.body.agents, ...second.body.agents]

      expect([first.body.agents.length, second.body.agents.length]).toEqual([20, 3])
      expect(listed.map(({ id }: { id: string }) => id)).toEqual(ids)
      expect(second.body).not.toHaveProperty("next")
      expect(first.body.agents[0]).toMatchObject({
        targetHint: `${origin}/lamps/ash`,
        origin: "js-sdk",
        status: "completed",
        settings: { hidden: false, starred: false },
        options: { prompt: "lamp 22", model: "core-2", effort: "low" }
      })
    })
  )
})

behindPort("the thread of agent runs", (database) => {
  it.live("takes one of two turns that begin at once, and tells the other that there is one under way", () =>
    Effect.gen(function* () {
      const { ended, held, service } = yield* shop({ database: yield* database.fresh })
      const first = yield* service.ask("POST", "/v2/agent", {
        body: { prompt: "the lamp", urls: [`${origin}/lamps/ash`], schema: lampSchema }
      })
      const { threadId } = first.body
      yield* ended(`/v2/agent/${first.body.id}`)
      const turn = service.ask("POST", "/v2/agent", { body: { prompt: "more", threadId, urls: [`${origin}/held`] } })
      const answers = yield* Effect.all([turn, turn, turn], { concurrency: "unbounded" })
      yield* held.open

      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
      expect(answers.find(({ status }) => status === 409)?.body.error).toContain("a run of this thread has not ended")
    })
  )

  it.live("goes on where its first turns are forgotten already", () =>
    Effect.gen(function* () {
      const place = yield* database.fresh
      const { ended, service, start } = yield* shop({ database: place })
      const first = yield* service.ask("POST", "/v2/agent", {
        body: { prompt: "the lamp", urls: [`${origin}/lamps/ash`] }
      })
      const { id, threadId } = first.body
      yield* ended(`/v2/agent/${id}`)
      yield* ended(`/v2/agent/${yield* start({ prompt: "and more", threadId })}`)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE job SET completed_at = 0 WHERE id = ${id}`
        yield* (yield* JobStore).expire(1)
        yield* (yield* AgentStore).expire
      }).pipe(Effect.provide(stores(place)))
      const third = yield* service.ask("POST", "/v2/agent", { body: { prompt: "and more", threadId } })

      expect([third.status, third.body.threadTurn]).toEqual([200, 3])
    })
  )
})

describe("the thread of agent runs", () => {
  it.live("goes on with schema and urls of the turn before, and refuses a turn while one is under way", () =>
    Effect.gen(function* () {
      const { ended, held, service, start } = yield* shop()
      const first = yield* service.ask("POST", "/v2/agent", {
        body: { prompt: "the lamp", urls: [`${origin}/lamps/ash`], schema: lampSchema }
      })
      const { threadId } = first.body
      yield* ended(`/v2/agent/${first.body.id}`)
      const second = yield* start({ prompt: "and its price again", threadId })
      const answer = yield* ended(`/v2/agent/${second}`)
      yield* start({ prompt: "another", threadId, urls: [`${origin}/held`] })
      yield* held.reached
      const early = yield* service.ask("POST", "/v2/agent", { body: { prompt: "more", threadId } })
      const running = yield* service.ask("GET", `/v2/agent/threads/${threadId}`)
      yield* held.open

      expect(answer).toMatchObject({ threadId, threadTurn: 2, data: { name: "Ash lamp", price: 140 } })
      expect(early.status).toBe(409)
      expect(running.body.thread).toMatchObject({ id: threadId, status: "running" })
      expect(running.body.thread.runs.map(({ status, turn }: any) => [turn, status])).toEqual([
        [1, "succeeded"],
        [2, "succeeded"],
        [3, "processing"]
      ])
      const withData = yield* service.ask("GET", `/v2/agent/threads/${threadId}?includeData=true`)
      expect(running.body.thread.runs[0]).not.toHaveProperty("data")
      expect(withData.body.thread.runs[0].data).toEqual({ name: "Ash lamp", price: 140 })
    })
  )
})

/** The specification's table of agent errors, row by row. */
describe("an agent error", () => {
  const cases: ReadonlyArray<
    readonly [row: string, method: string, path: string, body: object | undefined, status: number, error: string]
  > = [
    [
      "a job id that is none",
      "GET",
      "/v2/agent/abc",
      undefined,
      400,
      "Invalid job ID format. Job ID must be a valid UUID."
    ],
    [
      "cancelling a job id that is none",
      "DELETE",
      "/v2/agent/abc",
      undefined,
      400,
      "Invalid job ID format. Job ID must be a valid UUID."
    ],
    [
      "the trace of a job id that is none",
      "GET",
      "/v2/agent/abc/trace",
      undefined,
      400,
      "Invalid job ID format. Job ID must be a valid UUID."
    ],
    ["an id of nobody", "GET", `/v2/agent/${uuid}`, undefined, 404, "Agent job not found"],
    ["cancelling an id of nobody", "DELETE", `/v2/agent/${uuid}`, undefined, 404, "Agent job not found"],
    ["the trace of nobody", "GET", `/v2/agent/${uuid}/trace`, undefined, 404, "Agent job not found"],
    ["a thread of nobody", "GET", `/v2/agent/threads/${uuid}`, undefined, 404, "Agent thread not found"],
    ["a turn of no thread", "POST", "/v2/agent", { prompt: "x", threadId: uuid }, 404, "Agent thread not found"],
    ["no prompt", "POST", "/v2/agent", { urls: [] }, 400, "Bad Request: prompt: is missing"],
    ["an unknown field", "POST", "/v2/agent", { prompt: "x", deep: 1 }, 400, "Bad Request: deep: unknown field"],
    [
      "a schema that is none",
      "POST",
      "/v2/agent",
      { prompt: "x", schema: { type: "objekt" } },
      422,
      'the JSON Schema is not valid: the schema has the type "objekt"; it may be string, number, integer, boolean, object, array, null'
    ]
  ]
  for (const [row, method, path, body, status, error] of cases) {
    it.live(`is told as specified: ${row}`, () =>
      Effect.gen(function* () {
        const { service } = yield* shop()
        const answer = yield* service.ask(method, path, body === undefined ? {} : { body })

        expect([answer.status, answer.body.success, answer.body.error]).toEqual([status, false, error])
      })
    )
  }

  it.live("is told as specified: snapshots that are none, of nobody, and of runs that have none", () =>
    Effect.gen(function* () {
      const { ended, service, start } = yield* shop()
      const id = yield* start({ prompt: "the lamp", urls: [`${origin}/lamps/ash`] })
      yield* ended(`/v2/agent/${id}`)
      const extract = yield* service.ask("POST", "/v2/extract", {
        body: { urls: [`${origin}/lamps/ash`], prompt: "the lamp" }
      })
      const errorOf = (path: string) => Effect.map(service.ask("GET", path), ({ body, status }) => [status, body.error])

      expect(yield* errorOf(`/v2/agent/${id}/snapshots/x`)).toEqual([400, "Invalid snapshot ID"])
      expect(yield* errorOf(`/v2/agent/${id}/snapshots/${uuid}`)).toEqual([404, "Snapshot not found"])
      expect(yield* errorOf(`/v2/agent/${extract.body.id}/trace`)).toEqual([
        400,
        "Trace is only available for Spark 2 extracts"
      ])
      expect(yield* errorOf(`/v2/agent/${extract.body.id}/snapshots/${uuid}`)).toEqual([
        400,
        "Snapshots are only available for Spark 2 extracts"
      ])
    })
  )

  it.live("is told to teams of which nothing may be kept, and to strangers", () =>
    Effect.gen(function* () {
      const plan = { credits: 100, requestsPerMinute: 600, concurrency: 2, robotsControl: false }
      const { service } = yield* shop({
        keys: [
          { key: Redacted.make("fc-zero"), teamId: "zero", plan: { ...plan, zeroDataRetention: true } },
          { key: Redacted.make("fc-none"), teamId: "none", plan: { ...plan, credits: 0 } },
          { key: Redacted.make("fc-a"), teamId: "a", plan },
          { key: Redacted.make("fc-b"), teamId: "b", plan }
        ]
      })
      const as = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })
      const body = { prompt: "the lamp", urls: [`${origin}/lamps/ash`] }
      const zero = yield* service.ask("POST", "/v2/agent", { body, ...as("fc-zero") })
      const none = yield* service.ask("POST", "/v2/agent", { body: { ...body, maxCredits: 2501 }, ...as("fc-none") })
      const nobody = yield* service.ask("POST", "/v2/agent", { body })
      const mine = yield* service.ask("POST", "/v2/agent", { body, ...as("fc-a") })
      const theirs = yield* service.ask("GET", `/v2/agent/${mine.body.id}`, as("fc-b"))

      expect([zero.status, zero.body.error]).toEqual([
        400,
        "Your team has zero data retention enabled. This is not supported on extract."
      ])
      expect(none.status).toBe(402)
      expect([nobody.status, nobody.body.error]).toEqual([401, "Unauthorized: Invalid token"])
      expect([theirs.status, theirs.body.error]).toEqual([404, "Agent job not found"])
    })
  )
})
