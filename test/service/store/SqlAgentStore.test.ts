import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { expect } from "vitest"
import { AgentStore } from "#service/agent/AgentStore"
import { traceEvent } from "#service/agent/Recorder"
import type { ServiceConfig } from "#service/ServiceConfig"
import { AccountStore } from "#service/store/AccountStore"
import { CrawlStore } from "#web/CrawlStore"
import type { Job } from "#web/Job"
import { JobStore } from "#web/JobStore"
import { onEachDatabase, onPostgres } from "../databases.ts"
import { JobLease, stores } from "../serviceParts.ts"

const idOf = (index: number) => `0190c0de-0000-7000-8000-00000000000${index}`
const thread = "0190c0de-0000-7000-8000-0000000000aa"

const job = (index: number, fields: Partial<Job> = {}): Job => ({
  id: idOf(index),
  kind: "agent",
  teamId: "team",
  url: "",
  request: '{"prompt":"lamps"}',
  status: "scraping",
  createdAt: index,
  completedAt: null,
  error: null,
  warning: null,
  ...fields
})

const boss = { id: "orchestrator", role: "orchestrator", name: "orchestrator" } as const
const reader = { id: "reader-1", role: "subagent", name: "site.test", parentId: "orchestrator" } as const
const service = { id: "service", role: "system", name: "service" } as const

const progress = (agent: typeof boss | typeof reader | typeof service, message: string) =>
  traceEvent(idOf(1), agent, { type: "progress.reported", phase: "working", message }, 0)

/** A process's own stores. */
const processOver = Effect.fnUntraced(function* (database: ServiceConfig["database"]) {
  const context = yield* Layer.build(stores(database))
  const jobs = Context.get(context, JobStore)
  const agents = Context.get(context, AgentStore)
  /** Enters a run as a turn of the thread. */
  const enter = (index: number, turn: number, fields: Partial<Job> = {}) => {
    const entered = job(index, fields)
    return Effect.andThen(
      jobs.create(entered),
      agents.enter({ ...entered, threadId: thread, turn, mode: "extract" as const })
    )
  }
  return {
    jobs,
    agents,
    enter,
    ledger: Context.get(context, CrawlStore),
    lease: Context.get(context, JobLease),
    sql: Context.get(context, SqlClient.SqlClient),
    used: Context.get(context, AccountStore).used("team"),
    told: Effect.map(agents.events(idOf(1)), (events) =>
      events.map(({ agent, producerSequence, message }) => [agent.id, producerSequence, message])
    )
  }
})

onEachDatabase("the store of agent runs", (database) => {
  const process = Effect.flatMap(database.fresh, processOver)

  it.effect("numbers the events of each agent from 1, and keeps all in the order in which they came", () =>
    Effect.gen(function* () {
      const { agents, enter, told } = yield* process
      yield* enter(1, 1)
      yield* agents.record(idOf(1), { events: [progress(boss, "a"), progress(reader, "b"), progress(boss, "c")] })
      yield* agents.tell(idOf(1), progress(service, "d"))
      yield* agents.record(idOf(1), { events: [progress(reader, "e")] })

      expect(yield* told).toEqual([
        ["orchestrator", 1, "a"],
        ["reader-1", 1, "b"],
        ["orchestrator", 2, "c"],
        ["service", 1, "d"],
        ["reader-1", 2, "e"]
      ])
    })
  )

  it.effect("numbers them so also where several write at once", () =>
    Effect.gen(function* () {
      const { agents, enter, told } = yield* process
      yield* enter(1, 1)
      const writes = Array.from({ length: 20 }, (_, index) =>
        agents.record(idOf(1), { events: [progress(boss, `${index}`), progress(reader, `${index}`)], credits: 1 })
      )
      yield* Effect.all(writes, { concurrency: "unbounded", discard: true })
      const all = yield* told

      for (const id of ["orchestrator", "reader-1"]) {
        const numbers = all.filter(([agent]) => agent === id).map(([, number]) => number)
        expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
      }
    })
  )

  it.effect("charges a step to the run and to its team, and keeps its snapshots as they came", () =>
    Effect.gen(function* () {
      const { agents, enter, ledger, used } = yield* process
      yield* enter(1, 1)
      const content = JSON.stringify({ text: "Grüße 🌾 \0 \ud800 '\" \\" })
      yield* agents.record(idOf(1), {
        events: [progress(boss, "a \0 b")],
        snapshots: [{ id: "s1", kind: "json", content }],
        credits: 3
      })
      const [event] = yield* agents.events(idOf(1))

      expect(event?.["message"]).toBe("a \0 b")
      expect(yield* agents.snapshot(idOf(1), "s1")).toEqual(Option.some(content))
      expect(yield* agents.snapshot(idOf(2), "s1")).toEqual(Option.none())
      expect((yield* ledger.ledger(idOf(1))).credits).toBe(3)
      expect(yield* used).toBe(3)
    })
  )

  it.effect("writes a step whole or not at all", () =>
    Effect.gen(function* () {
      const { agents, enter, told, used } = yield* process
      yield* enter(1, 1)
      const snapshot = { id: "s1", kind: "text", content: "x" } as const
      const refused = yield* Effect.flip(
        agents.record(idOf(1), { events: [progress(boss, "a")], snapshots: [snapshot, snapshot], credits: 3 })
      )

      expect(refused._tag).toBe("StoreError")
      expect(yield* told).toEqual([])
      expect(yield* agents.snapshot(idOf(1), "s1")).toEqual(Option.none())
      expect(yield* used).toBe(0)
    })
  )

  it.effect("writes nothing more of a run that has ended", () =>
    Effect.gen(function* () {
      const { agents, enter, jobs, told, used } = yield* process
      yield* enter(1, 1)
      yield* jobs.finish(idOf(1), { status: "completed" }, "owner")
      const late = yield* Effect.exit(agents.record(idOf(1), { events: [progress(boss, "late")], credits: 3 }))
      yield* agents.tell(idOf(1), progress(service, "late"))

      expect(Exit.hasInterrupts(late)).toBe(true)
      expect(yield* told).toEqual([])
      expect(yield* used).toBe(0)
    })
  )

  it.effect("keeps the turns of a thread in their order, and takes each number once", () =>
    Effect.gen(function* () {
      const { agents, enter, jobs } = yield* process
      yield* enter(2, 1)
      yield* enter(1, 2)
      yield* jobs.finish(idOf(2), { status: "completed", result: '{"outcome":"succeeded"}' }, "owner")
      const again = yield* Effect.flip(enter(3, 2))
      const turns = yield* agents.turns(thread)

      expect(again).toMatchObject({ _tag: "StoreError", isDuplicate: true })
      expect(turns.map(({ job, result, turn }) => [job.id, turn, result])).toEqual([
        [idOf(2), 1, '{"outcome":"succeeded"}'],
        [idOf(1), 2, null]
      ])
      expect(yield* agents.thread(thread)).toEqual(Option.some({ id: thread, teamId: "team", createdAt: 2 }))
    })
  )

  it.effect("remembers how an approval was answered, and which terms a team has accepted", () =>
    Effect.gen(function* () {
      const { agents, enter } = yield* process
      yield* enter(1, 1)
      const resolution = { approved: true, callIds: ["c"], always: false, byRunId: idOf(2) }
      yield* agents.resolve(idOf(1), resolution)
      yield* agents.accept("team", "gazetteer@1")
      yield* agents.accept("team", "gazetteer@1")

      expect(Option.getOrThrow(yield* agents.run(idOf(1))).resolution).toEqual(resolution)
      expect(yield* agents.accepted("team")).toEqual(new Set(["gazetteer@1"]))
      expect(yield* agents.accepted("other")).toEqual(new Set())
    })
  )

  it.effect("lists a team's runs before a time, newest first, whatever number is given for the time", () =>
    Effect.gen(function* () {
      const { agents, enter, jobs } = yield* process
      yield* jobs.create(job(9, { kind: "extract" }))
      for (const index of [2, 1, 3]) yield* enter(index, index)
      yield* enter(4, 4, { teamId: "other" })
      const lists = yield* Effect.forEach([10, 3, 2.5, 1e300, -1e300], (before) => agents.list("team", before, 2))

      expect(lists.map((runs) => runs.map(({ id }) => id))).toEqual([
        [idOf(3), idOf(2)],
        [idOf(2), idOf(1)],
        [idOf(2), idOf(1)],
        [idOf(3), idOf(2)],
        []
      ])
      expect(yield* agents.startedBetween("team", 1, 3)).toBe(2)
    })
  )

  it.effect("forgets events, snapshots, runs and threads of jobs that are gone, and no others", () =>
    Effect.gen(function* () {
      const { agents, enter, jobs, sql } = yield* process
      yield* enter(1, 1)
      yield* enter(2, 2)
      yield* agents.record(idOf(1), {
        events: [progress(boss, "a")],
        snapshots: [{ id: "s1", kind: "text", content: "x" }]
      })
      yield* agents.record(idOf(2), { events: [progress(boss, "b")] })
      yield* jobs.finish(idOf(1), { status: "completed" }, "owner")
      yield* jobs.expire(1)
      yield* agents.expire
      const turns = yield* agents.turns(thread)
      const threadBetween = yield* agents.thread(thread)
      yield* jobs.finish(idOf(2), { status: "completed" }, "owner")
      yield* jobs.expire(1)
      const events = yield* sql`SELECT job_id FROM agent_event`
      yield* agents.expire
      const left = yield* Effect.forEach(["agent_event", "agent_snapshot", "agent_run", "agent_thread"], (table) =>
        Effect.map(sql`SELECT * FROM ${sql(table)}`, (rows) => rows.length)
      )

      expect(turns.map(({ turn }) => turn)).toEqual([2])
      expect(Option.isSome(threadBetween)).toBe(true)
      expect(events).toEqual([{ job_id: idOf(2) }])
      expect(left).toEqual([0, 0, 0, 0])
    })
  )
})

onPostgres("the store of agent runs", (database) => {
  it.effect("writes nothing for a process that has lost the run", () =>
    Effect.gen(function* () {
      const fresh = yield* database.fresh
      const [one, other] = [yield* processOver(fresh), yield* processOver(fresh)]
      yield* one.enter(1, 1)
      yield* one.lease.release
      yield* other.lease.take
      const late = yield* Effect.exit(one.agents.record(idOf(1), { events: [progress(boss, "late")], credits: 3 }))
      yield* other.agents.record(idOf(1), { events: [progress(boss, "mine")] })
      // What is asked of a run may be asked anywhere.
      yield* one.agents.tell(idOf(1), progress(service, "stop"))

      expect(Exit.hasInterrupts(late)).toBe(true)
      expect(yield* one.told).toEqual([
        ["orchestrator", 1, "mine"],
        ["service", 1, "stop"]
      ])
      expect(yield* one.used).toBe(0)
    })
  )

  it.effect("numbers events of two processes that write at once", () =>
    Effect.gen(function* () {
      const fresh = yield* database.fresh
      const [one, other] = [yield* processOver(fresh), yield* processOver(fresh)]
      yield* one.enter(1, 1)
      const writes = Array.from({ length: 10 }, (_, index) => [
        one.agents.record(idOf(1), { events: [progress(boss, `${index}`)] }),
        other.agents.tell(idOf(1), progress(service, `${index}`))
      ]).flat()
      yield* Effect.all(writes, { concurrency: "unbounded", discard: true })
      const all = yield* one.told

      expect(all).toHaveLength(20)
      for (const id of ["orchestrator", "service"]) {
        expect(all.filter(([agent]) => agent === id).map(([, number]) => number)).toEqual(
          Array.from({ length: 10 }, (_, index) => index + 1)
        )
      }
    })
  )
})
