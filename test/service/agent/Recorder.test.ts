import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { expect } from "vitest"
import { AgentStore } from "#service/agent/AgentStore"
import * as Recorder from "#service/agent/Recorder"
import * as SubAgents from "#service/agent/SubAgents"
import { JobStore } from "#web/JobStore"
import { behindPort } from "../databases.ts"
import { stores } from "../serviceParts.ts"
import { idOf, threadId, turn } from "./runs.ts"

const { orchestrator } = SubAgents
const version = { path: "result.json", kind: "json", content: "{}", change: "init" } as const

behindPort("the recorder of a run", (database) => {
  const recording = Effect.gen(function* () {
    const context = yield* Layer.build(stores(yield* database.fresh))
    const job = { ...turn(1, { prompt: "x" }).job, status: "scraping" as const, completedAt: null }
    const agents = Context.get(context, AgentStore)
    yield* Context.get(context, JobStore).create(job)
    yield* agents.enter({ ...job, threadId, turn: 1, mode: "extract" })
    const recorder = Effect.provideContext(Recorder.open(job.id), context)
    return { recorder, agents, events: agents.events(idOf(1)) as Effect.Effect<ReadonlyArray<any>, unknown> }
  })

  it.effect("tells a tool's call before and after, with what came of it", () =>
    Effect.gen(function* () {
      const { agents, events, recorder } = yield* recording
      const { tool } = yield* recorder
      const call = Effect.succeed({ value: 7, result: { hits: 1 }, credits: 2, artifacts: [version] })
      const value = yield* tool(orchestrator, "search", { query: "x" }, call)
      const [started, finished, artifact] = yield* events

      expect(value).toBe(7)
      expect(started).toMatchObject({ type: "tool_call.started", toolName: "search", parameters: { query: "x" } })
      expect(finished).toMatchObject({
        type: "tool_call.finished",
        toolCallId: started.toolCallId,
        result: { hits: 1 }
      })
      expect(artifact.artifact).toMatchObject({ path: "result.json", sourceToolCallId: started.toolCallId })
      expect(yield* agents.snapshot(idOf(1), artifact.artifact.snapshotId)).toEqual(Option.some("{}"))
    })
  )

  it.effect("keeps the id of an artifact as it changes, also where another process goes on", () =>
    Effect.gen(function* () {
      const { events, recorder } = yield* recording
      const first = yield* recorder
      yield* first.tell(orchestrator, { type: "run.started" })
      yield* first.write(orchestrator, version)
      yield* first.write(orchestrator, { ...version, change: "update" })
      const next = yield* recorder
      yield* next.write(orchestrator, { ...version, change: "update" })
      const artifacts = (yield* events).flatMap(({ artifact }) => artifact ?? [])

      expect([first.isNew, next.isNew]).toEqual([true, false])
      expect(new Set(artifacts.map(({ artifactId }) => artifactId)).size).toBe(1)
      expect(new Set(artifacts.map(({ snapshotId }) => snapshotId)).size).toBe(3)
    })
  )

  it.effect("knows what a call gave before, and not of one that never ended", () =>
    Effect.gen(function* () {
      const { recorder } = yield* recording
      const first = yield* recorder
      yield* first.tool(
        orchestrator,
        "provider",
        { provider: "a" },
        Effect.succeed({ value: 1, result: { records: [] } })
      )
      yield* Effect.exit(first.tool(orchestrator, "provider", { provider: "b" }, Effect.die("killed")))
      const { gave } = yield* recorder
      const of = (id: string) => gave("provider", (parameters) => JSON.stringify(parameters) === `{"provider":"${id}"}`)

      expect([of("a"), of("b"), of("c")]).toEqual([{ records: [] }, undefined, undefined])
    })
  )

  it.effect("has a team whose sub-agents start once, also over a restart, and finish before it does", () =>
    Effect.gen(function* () {
      const { events, recorder } = yield* recording
      const before = SubAgents.start(yield* recorder)
      const [a, again] = [
        yield* before.of(new URL("http://a.test/1")),
        yield* before.of(new URL("http://www.a.test/2"))
      ]
      const after = SubAgents.start(yield* recorder)
      const same = yield* after.of(new URL("http://a.test/3"))
      const b = yield* after.of(new URL("http://b.test/"))
      const c = yield* after.of(new URL("http://c.test/"))
      same.pages = 1
      yield* after.finish(new Set(["b.test"]), undefined)
      const ended = SubAgents.start(yield* recorder)
      yield* ended.finish(new Set(), undefined)
      const told = yield* events

      expect([a, again, same, b, c].map(({ identity }) => identity.id)).toEqual([
        "reader-1",
        "reader-1",
        "reader-1",
        "reader-2",
        "reader-3"
      ])
      expect(told.filter(({ type }) => type === "agent.started")).toHaveLength(3)
      expect(
        told
          .filter(({ type }) => type === "agent.finished")
          .map(({ agent, error, outcome }) => [agent.name, outcome, error?.code])
      ).toEqual([
        ["a.test", "succeeded", undefined],
        ["b.test", "cancelled", "parent_finished"],
        ["c.test", "failed", "internal"]
      ])
    })
  )
})
