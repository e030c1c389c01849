import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { agentAnswers } from "#contract/agentAnswers"
import type { JobFrom } from "#contract/jobAnswers"
import { type Reply, scriptedService } from "./scriptedService.ts"

const eventOf = (type: string, more: object = {}) => ({
  schemaVersion: 1,
  eventId: "e",
  runId: "1",
  occurredAt: "2026-01-01T00:00:00.000Z",
  producerSequence: 1,
  agent: { id: "o", role: "orchestrator", name: "orchestrator" },
  type,
  ...more
})
const artifactOf = (snapshotId: string) =>
  eventOf("artifact.updated", { artifact: { kind: "json", artifactId: "a", snapshotId, change: "update" } })
const call = (toolCallId: string, url: string, success: boolean) => [
  eventOf("tool_call.started", { toolCallId, toolName: "scrape", parameters: { url } }),
  eventOf("tool_call.finished", { toolCallId, toolName: "scrape", result: { success } })
]
const finished = eventOf("run.finished", { outcome: "succeeded", error: null })

/** A service with a run that has ended, whose trace has its last event from the nth reading on. */
const serviceOf = (events: ReadonlyArray<object>, whole = 1) => {
  let readings = 0
  return scriptedService((what): Reply => {
    if (what.startsWith("POST")) return { status: 200, body: { success: true, id: "1", threadId: "t", threadTurn: 1 } }
    if (what.endsWith("/trace")) {
      const end = ++readings >= whole ? [finished] : []
      return { status: 200, body: { success: true, id: "1", events: [...events, ...end], creditsUsed: 1 } }
    }
    const [, snapshotId] = /snapshots\/(.*)$/.exec(what) ?? []
    if (snapshotId !== undefined) return { status: 200, body: { success: true, id: "1", snapshotId, snapshot: "x" } }
    return { status: 200, body: { status: "completed" } }
  })
}

const urls = ["http://a.test/", "http://b.test", "http://c.test/"]
const read = (
  service: ReturnType<typeof scriptedService>,
  parts: Partial<Parameters<typeof agentAnswers>[1]> = {},
  from: JobFrom = {}
) =>
  Effect.gen(function* () {
    const asking = agentAnswers({ prompt: "p", urls }, { trace: true, snapshots: true, ...parts }, from)
    const fiber = yield* Effect.forkChild(Effect.provide(Stream.runCollect(asking), service.layer))
    yield* TestClock.adjust("1 minute")
    return [...(yield* Fiber.join(fiber))]
  })

describe("an agent run as answers", () => {
  it.effect("is its start, its end, its trace and each snapshot, the trace asked for once", () =>
    Effect.gen(function* () {
      const service = serviceOf([artifactOf("s1"), artifactOf("s2")])
      const answers = yield* read(service)

      expect(answers.map(({ cursor, kind }) => [kind, cursor.next, cursor.artifact?.snapshotId])).toEqual([
        ["started", "end", undefined],
        ["ended", "trace", undefined],
        ["trace", "snapshots", undefined],
        ["snapshot", "snapshots", "s1"],
        ["snapshot", "nothing", "s2"]
      ])
      expect(answers[1]?.cursor.outcome).toBe("succeeded")
      expect(service.asked.filter(({ what }) => what.endsWith("/trace"))).toHaveLength(1)

      for (const [at, { cursor }] of answers.entries()) {
        const rest = yield* read(serviceOf([artifactOf("s1"), artifactOf("s2")]), {}, { after: cursor })
        expect(rest.map(({ kind, text }) => [kind, text])).toEqual(
          answers.slice(at + 1).map(({ kind, text }) => [kind, text])
        )
      }
    })
  )

  it.effect("waits a short while for the last event, and no longer", () =>
    Effect.gen(function* () {
      const late = serviceOf([], 3)
      const never = serviceOf([], 1000)

      expect((yield* read(late))[1]?.cursor.outcome).toBe("succeeded")
      expect((yield* read(never))[1]?.cursor.outcome).toBeUndefined()
      const readings = never.asked.filter(({ what }) => what.endsWith("/trace")).map(({ at }) => at)
      expect(readings).toHaveLength(6)
      expect((readings.at(-1) ?? 0) - (readings[0] ?? 0)).toBe(2500)
    })
  )

  it.effect("ends with what is asked for", () =>
    Effect.gen(function* () {
      const kinds = (parts: Partial<Parameters<typeof agentAnswers>[1]>) =>
        Effect.map(read(serviceOf([artifactOf("s1")]), parts), (answers) => answers.map(({ kind }) => kind))

      expect(yield* kinds({ trace: false, snapshots: false })).toEqual(["started", "ended"])
      expect(yield* kinds({ snapshots: false })).toEqual(["started", "ended", "trace"])
      expect(yield* kinds({ trace: false })).toEqual(["started", "ended", "snapshot"])
    })
  )

  it.effect("tells how many of its URLs were tried and never read", () =>
    Effect.gen(function* () {
      const calls = [
        call("1", "http://a.test/", false),
        call("2", "http://a.test/", true),
        call("3", "http://b.test/", false)
      ]
      const [, ended] = yield* read(serviceOf(calls.flat()))

      expect(ended?.cursor.unread).toBe(1)
    })
  )
})
