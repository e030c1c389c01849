import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import type { AgentRequest } from "#contract/Agent"
import type { Happening } from "#contract/Trace"
import { AgentStore } from "#service/agent/AgentStore"
import { traceEvent } from "#service/agent/Recorder"
import { termsKey } from "#service/Provider"
import type { ServiceConfig } from "#service/ServiceConfig"
import { JobStore } from "#web/JobStore"
import { behindPort } from "../databases.ts"
import { receiver } from "../receiver.ts"
import { file, scriptedSite } from "../scriptedSite.ts"
import { JobLease, stores } from "../serviceParts.ts"
import { gazetteer } from "./gazetteer.ts"
import { idOf, threadId } from "./runs.ts"
import { lampSchema, lampsSchema, origin, product, shop } from "./shop.ts"

const boss = { id: "orchestrator", role: "orchestrator", name: "orchestrator" } as const
const sub = { id: "reader-1", role: "subagent", name: "site.test", parentId: "orchestrator" } as const

/** A run that a process began, told this, and left when it died. */
const left = Effect.fnUntraced(function* (
  database: ServiceConfig["database"],
  request: AgentRequest | string,
  told: ReadonlyArray<readonly [typeof boss | typeof sub, Happening]>,
  credits = 0
) {
  const context = yield* Layer.build(stores(database))
  const jobs = Context.get(context, JobStore)
  const agents = Context.get(context, AgentStore)
  const job = {
    id: idOf(1),
    kind: "agent",
    teamId: "local",
    url: "",
    request: typeof request === "string" ? request : JSON.stringify(request),
    status: "scraping",
    createdAt: Date.now(),
    completedAt: null,
    error: null,
    warning: null
  } as const
  yield* jobs.create(job)
  yield* agents.enter({ ...job, threadId, turn: 1, mode: "extract" })
  const events = told.map(([agent, happening]) => traceEvent(job.id, agent, happening, Date.now() - 1000))
  yield* agents.record(job.id, { events, credits })
  yield* agents.accept("local", termsKey(gazetteer))
  yield* Context.get(context, JobLease).release
  return { jobs, agents, sql: Context.get(context, SqlClient.SqlClient) }
})

const typesOf = (events: ReadonlyArray<any>) => events.map(({ agent, type }) => `${agent.id} ${type}`)

const warranty = { type: "object", properties: { warranty_months: { type: "integer" } } }

behindPort("an agent run", (database) => {
  it.live("tells its webhook of every page that it reads as an action, with what it cost", () =>
    Effect.gen(function* () {
      const hook = yield* receiver()
      const { ended, start } = yield* shop({ database: yield* database.fresh }, { "/hook": hook.answer })
      const urls = [`${origin}/lamps/ash`, `${origin}/gone`]
      const id = yield* start({ prompt: "the lamp", urls, webhook: `${origin}/hook`, strictConstrainToURLs: true })
      yield* ended(`/v2/agent/${id}`)
      const actions = (yield* hook.untilEnd).map(({ payload }) => payload).filter(({ type }) => type === "agent.action")

      expect(actions.map(({ data }) => data)).toEqual(
        expect.arrayContaining([
          [{ creditsUsed: 1, action: "scrape", input: { url: urls[0] } }],
          [{ creditsUsed: 0, action: "scrape", input: { url: urls[1] } }]
        ])
      )
      expect(actions).toHaveLength(2)
    })
  )

  it.live("names every page that was read, and apart from what they do not say the pages that were not read", () =>
    Effect.gen(function* () {
      const names = ["ash", "oak", "elm", "fir", "yew"]
      const routes = Object.fromEntries(names.map((name) => [`/lamps/${name}`, product(`${name} lamp`, "9.00")]))
      const more = { "/story": "<title>Story</title><main><h1>Story</h1><p>A lamp was made.</p></main>" }
      const { ended, start } = yield* shop({ database: yield* database.fresh }, { ...routes, ...more })
      const urls = [...names.map((name) => `${origin}/lamps/${name}`), `${origin}/story`, `${origin}/gone`]
      const run = yield* ended(
        `/v2/agent/${yield* start({ prompt: "the lamps", urls, schema: lampsSchema, strictConstrainToURLs: true })}`
      )

      for (const url of urls.slice(0, -1)) expect(run.message).toContain(`- ${url}`)
      expect(run.warning).toMatch(/^a page was not read: http:\/\/site\.test\/gone: /)
      const nothing = yield* ended(
        `/v2/agent/${yield* start({ prompt: "the warranty", urls: [`${origin}/story`], schema: warranty, strictConstrainToURLs: true })}`
      )
      expect(nothing.message).toBe("The pages that were read do not say it. 1 page was read.")
    })
  )

  it.live("says what pages offered to a field and why it was left, if it is asked to show its sources", () =>
    Effect.gen(function* () {
      const module = (name: string) =>
        `<h2>${name}</h2><table><tr><th>Description:</th><td>Maps ${name}</td></tr><tr><th>Status:</th><td>Base</td></tr></table>`
      const page = `<html lang="en"><title>mod_alias</title><main><h1>mod_alias</h1>${["URLs", "Alias", "Redirect"].map(module).join("")}</main>`
      const { ended, start } = yield* shop({ database: yield* database.fresh }, { "/mod": page })
      const url = `${origin}/mod`
      const schema = { type: "object", properties: { description: { type: "string" } } }
      const request = { prompt: "the module", urls: [url], schema, strictConstrainToURLs: true }
      const run = yield* ended(`/v2/agent/${yield* start({ ...request, showSources: true })}`)
      const plain = yield* ended(`/v2/agent/${yield* start(request)}`)

      expect(run.data).toEqual({ description: null })
      expect(run.considered).toContainEqual({
        field: "/description",
        value: "Maps Alias",
        kind: "table",
        place: expect.any(String),
        why: "it is one of several in a list, and nothing says which is meant",
        url
      })
      expect(plain.considered).toBeUndefined()
    })
  )

  it.live("goes on after a restart with the sub-agents that it had, and ends what its dead process left open", () =>
    Effect.gen(function* () {
      const place = yield* database.fresh
      const page = `${origin}/lamps/ash`
      yield* left(place, { prompt: "the lamp", urls: [page] }, [
        [boss, { type: "run.started" }],
        [boss, { type: "agent.started" }],
        [sub, { type: "agent.started" }],
        [sub, { type: "tool_call.started", toolCallId: "1", toolName: "scrape", parameters: { url: page } }],
        [sub, { type: "browser.session.started", sessionId: "1" }]
      ])
      const { ended, service } = yield* shop({ database: place })
      const run = yield* ended(`/v2/agent/${idOf(1)}`)
      const { body } = yield* service.ask("GET", `/v2/agent/${idOf(1)}/trace?liveView=true`)
      const types = typesOf(body.events)

      expect(run.status).toBe("completed")
      expect(types.filter((type) => type.endsWith("agent.started"))).toEqual([
        "orchestrator agent.started",
        "reader-1 agent.started"
      ])
      expect(types.filter((type) => type.endsWith("agent.finished"))).toEqual([
        "reader-1 agent.finished",
        "orchestrator agent.finished"
      ])
      const finished = body.events.find(({ type }: any) => type === "browser.session.finished")
      expect(finished.sessionId).toBe("1")
      expect(finished.durationMs).toBeGreaterThanOrEqual(1000)
      expect(types.filter((type) => type.endsWith("run.started"))).toHaveLength(1)
    })
  )

  it.live("that was cancelled before its first word begins as a run does, and not as one that goes on", () =>
    Effect.gen(function* () {
      const place = yield* database.fresh
      const process = yield* left(place, { prompt: "the lamp", urls: [`${origin}/lamps/ash`] }, [])
      yield* process.jobs.askToStop(idOf(1))
      const service = { id: "service", role: "system", name: "service" } as const
      yield* process.agents.tell(
        idOf(1),
        traceEvent(idOf(1), service, { type: "run.cancel_requested", reason: "user" }, 0)
      )
      const there = yield* shop({ database: place })
      const run = yield* there.ended(`/v2/agent/${idOf(1)}`)
      const { body } = yield* there.service.ask("GET", `/v2/agent/${idOf(1)}/trace`)

      expect(run).toMatchObject({ status: "failed", error: "the run was cancelled" })
      expect(typesOf(body.events).slice(0, 2)).toEqual(["service run.cancel_requested", "orchestrator run.started"])
    })
  )

  it.live("asks no provider again that it had asked and paid before a restart", () =>
    Effect.gen(function* () {
      const place = yield* database.fresh
      const parameters = { provider: "sample-gazetteer", capability: "countries/lookup", query: "x" }
      const records = [{ country: "Narnia", capital: "Cair Paravel" }]
      const started: ReadonlyArray<readonly [typeof boss, Happening]> = [
        [boss, { type: "run.started" }],
        [boss, { type: "agent.started" }],
        [boss, { type: "tool_call.started", toolCallId: "1", toolName: "provider", parameters }],
        [boss, { type: "tool_call.finished", toolCallId: "1", toolName: "provider", result: { records } }]
      ]
      const schema = {
        type: "object",
        properties: {
          countries: {
            type: "array",
            items: { type: "object", properties: { country: { type: "string" }, capital: { type: "string" } } }
          }
        }
      }
      const request = { prompt: "capital and currency of each country", urls: [`${origin}/lamps/ash`], schema }
      yield* left(place, request, started, 2)
      const { ended } = yield* shop({ database: place })
      const run = yield* ended(`/v2/agent/${idOf(1)}`)

      expect(run.data.countries).toEqual([{ country: "Narnia", capital: "Cair Paravel" }])
      expect(run.exchange).toMatchObject({ paidCalls: 1, creditsUsed: 2 })
      expect(run.creditsUsed).toBe(3)
    })
  )

  it.live("of which the store no longer tells enough ends failed, told so, with its credits given back", () =>
    Effect.gen(function* () {
      const place = yield* database.fresh
      const { sql } = yield* left(
        place,
        '{"lamps":1}',
        [
          [boss, { type: "run.started" }],
          [sub, { type: "agent.started" }]
        ],
        7
      )
      const { ended, service } = yield* shop({ database: place })
      const run = yield* ended(`/v2/agent/${idOf(1)}`)
      const { body } = yield* service.ask("GET", `/v2/agent/${idOf(1)}/trace`)
      const usage = yield* sql<{ credits: number }>`SELECT credits FROM team_usage`

      expect(run).toMatchObject({ status: "failed", creditsUsed: 0 })
      expect(run.error).toContain("can no longer read the request of the run")
      expect(typesOf(body.events).slice(-3)).toEqual([
        "reader-1 agent.finished",
        "orchestrator error.occurred",
        "orchestrator run.finished"
      ])
      expect(usage.map(({ credits }) => Number(credits))).toEqual([0])
    })
  )

  it.live("fails where what it has read costs more than it may, be it the last page", () =>
    Effect.gen(function* () {
      const place = yield* database.fresh
      const { sql } = yield* left(place, { prompt: "the lamp", urls: [`${origin}/lamps/ash`], maxCredits: 3 }, [], 2)
      // As if a file of many pages had been read in the last step.
      yield* sql`UPDATE job SET credits_used = 3 WHERE id = ${idOf(1)}`
      const { ended, requests } = yield* shop({ database: place })
      const run = yield* ended(`/v2/agent/${idOf(1)}`)

      expect(run).toMatchObject({ status: "failed", creditsUsed: 0 })
      expect(run.error).toContain("Credit limit reached")
      expect(requests).toEqual([])
    })
  )

  it.live("costs the team what its runs say, after those that failed, were cancelled or were free", () =>
    Effect.gen(function* () {
      const place = yield* database.fresh
      const { ended, held, service, start } = yield* shop({ database: place })
      const paid = { maxCredits: 3000 }
      const ran = [
        yield* start({ prompt: "lamp", urls: [`${origin}/lamps/ash`], ...paid }),
        yield* start({ prompt: "lamps", urls: [`${origin}/lamps`], ...paid }),
        yield* start({ prompt: "lamp", urls: [`${origin}/gone`], ...paid }),
        yield* start({ prompt: "lamp", urls: [`${origin}/lamps/oak`, `${origin}/lamps`], maxCredits: 1 })
      ]
      const cancelled = yield* start({ prompt: "lamp", urls: [`${origin}/held`], ...paid })
      yield* held.reached
      yield* service.ask("DELETE", `/v2/agent/${cancelled}`)
      yield* held.open
      const runs = yield* Effect.forEach([...ran, cancelled], (id) => ended(`/v2/agent/${id}`))
      const usage = yield* service.ask("GET", "/v2/team/credit-usage/historical")
      const total = runs.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0)

      expect(runs.map(({ status }) => status)).toEqual(["completed", "completed", "failed", "failed", "failed"])
      expect(total).toBeGreaterThan(0)
      expect(usage.body.periods.map(({ creditsUsed }: any) => creditsUsed)).toEqual([total])
    })
  )

  it.live("is told an unexpected end without how it came, unbilled, its trace ended", () =>
    Effect.gen(function* () {
      const place = yield* database.fresh
      const { agents } = yield* left(
        place,
        { prompt: "the lamp", urls: [`${origin}/lamps/ash`] },
        [[boss, { type: "run.started" }]],
        2
      )
      // What the ledger keeps of a page is not as any service of ours has written it.
      const context = yield* Layer.build(stores(place))
      const sql = Context.get(context, SqlClient.SqlClient)
      yield* sql`INSERT INTO crawl_page (job_id, seq, bytes, document) VALUES (${idOf(1)}, 0, 2, '{}')`
      yield* sql`UPDATE job SET scraped = 1 WHERE id = ${idOf(1)}`
      const { ended } = yield* shop({ database: place })
      const run = yield* ended(`/v2/agent/${idOf(1)}`)
      const events = yield* agents.events(idOf(1))
      const usage = yield* sql<{ credits: number }>`SELECT credits FROM team_usage`

      expect(run).toMatchObject({ status: "failed", error: "an unexpected error ended the run", creditsUsed: 0 })
      expect(events.at(-1)).toMatchObject({ type: "run.finished", outcome: "failed", error: { code: "internal" } })
      expect(usage.map(({ credits }) => Number(credits))).toEqual([0])
      expect(Option.isSome(yield* agents.run(idOf(1)))).toBe(true)
    })
  )

  it.live("reads files as their text", () =>
    Effect.gen(function* () {
      const text = file("text/plain", "Name: Ash lamp\nPrice: £140.00\n")
      const { ended, start } = yield* shop({ database: yield* database.fresh }, { "/lamp.txt": text })
      const schema = { type: "object", properties: { price: { type: "number" } } }
      const run = yield* ended(`/v2/agent/${yield* start({ prompt: "price", urls: [`${origin}/lamp.txt`], schema })}`)

      expect(run.data).toEqual({ price: 140 })
    })
  )

  it.live("at high effort also follows links that do not look relevant, after all others", () =>
    Effect.gen(function* () {
      const page = (href: string) => `<title>x</title><main><p>Welcome.</p><a href="${href}">go on</a></main>`
      const routes = { "/a": page("/b"), "/b": page("/c"), "/c": product("Deep lamp", "31.00") }
      const { ended, requests, start } = yield* shop({}, routes)
      const run = (effort: string) =>
        Effect.flatMap(start({ prompt: "the lamp", urls: [`${origin}/a`], schema: lampSchema, effort }), (id) =>
          ended(`/v2/agent/${id}`)
        )
      yield* run("medium")
      const atMedium = [...requests]
      const high = yield* run("high")

      expect(atMedium).not.toContain("/b")
      expect(high.data).toMatchObject({ price: 31 })
    })
  )

  it.live("ends once it has as many rows as one run gives, and says so", () =>
    Effect.gen(function* () {
      const rows = Array.from({ length: 1000 }, (_, row) => `<tr><td>Lamp ${row}</td><td>£${row}.50</td></tr>`).join("")
      const table = (next: string) =>
        `<h1>Lamps</h1><table><tr><th>Name</th><th>Price</th></tr>${rows}</table><a href="${next}">next</a>`
      const { ended, requests, start } = yield* shop(
        { database: yield* database.fresh },
        { "/list": table("/list?page=2"), "/list?page=2": table("/list?page=3") }
      )
      const run = yield* ended(
        `/v2/agent/${yield* start({ prompt: "all lamps", urls: [`${origin}/list`], schema: lampsSchema })}`
      )

      expect(run.data.lamps).toHaveLength(1000)
      expect(run.message).toContain("One run gives about 1000 rows: split the job for more.")
      expect(requests.filter((path) => path.startsWith("/list"))).toEqual(["/list"])
    })
  )
})

const closed = { "/robots.txt": file("text/plain", "User-agent: *\nDisallow: /") }
const ash = `${origin}/lamps/ash`

/** What a run without URLs ends with, where a web search finds these addresses. */
const found = Effect.fnUntraced(function* (body: object, addresses: ReadonlyArray<string>, routes = {}) {
  const results = addresses.map((url) => ({ url, title: "Lamp" }))
  const web = yield* scriptedSite({ "/search": file("application/json", JSON.stringify({ results })) })
  const there = yield* shop({ webSearch: new URL(`http://127.0.0.1:${web.port}`) }, routes)
  const run = yield* there.ended(`/v2/agent/${yield* there.start({ schema: lampSchema, ...body })}`)
  return { run, requests: there.requests, searches: web.requests.length }
})

describe("the pages that a run begins with", () => {
  it.live("are those that were given, and no search is made", () =>
    Effect.gen(function* () {
      const { run, searches } = yield* found({ prompt: "the lamp", urls: [ash] }, [`${origin}/lamps/oak`])

      expect([run.data.name, searches]).toEqual(["Ash lamp", 0])
    })
  )

  it.live("are those that a search finds where none are given, robots.txt permitting", () =>
    Effect.gen(function* () {
      const open = yield* found({ prompt: "the lamp" }, [ash])
      const shut = yield* found({ prompt: "the lamp" }, [ash], closed)

      expect(open.run).toMatchObject({ status: "completed", data: { name: "Ash lamp" } })
      expect(shut.run.error).toContain("robots.txt")
      expect(shut.requests).toEqual(["/robots.txt"])
    })
  )

  it.live("are those that the words name, read as given", () =>
    Effect.gen(function* () {
      const { requests, run } = yield* found({ prompt: `the lamp at <${ash}>, please` }, [], closed)

      expect(run).toMatchObject({ status: "completed", data: { name: "Ash lamp", price: 140 } })
      expect(requests).toContain("/lamps/ash")
    })
  )

  it.live("never come from addresses of this machine, even if the web search gives some", () =>
    Effect.gen(function* () {
      const { run } = yield* found({ prompt: "the lamp" }, ["http://169.254.169.254/latest", "http://localhost:1/"])

      expect(run).toMatchObject({ status: "failed", creditsUsed: 0 })
    })
  )

  it.live("are not searched for if the run may only use its URLs and has none", () =>
    Effect.gen(function* () {
      const { run, searches } = yield* found({ prompt: "the lamp", strictConstrainToURLs: true }, [ash])

      expect([run.status, searches]).toEqual(["failed", 0])
      expect(run.error).toContain("no page was found for the prompt")
    })
  )
})
