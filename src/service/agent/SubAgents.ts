/**
 * The agents of one run: the orchestrator, and a sub-agent for each host whose pages are read.
 *
 * A sub-agent that has started also finishes, before the orchestrator. If it is stopped because the run has all data, its
 * error is `parent_finished`.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { isSchema } from "#contract/JsonSchema"
import * as PageUrl from "#contract/PageUrl"
import type { AgentIdentity, Happening, TraceError, TraceEvent } from "#contract/Trace"
import type { Recorder } from "./Recorder.ts"

export const orchestrator: AgentIdentity = { id: "orchestrator", role: "orchestrator", name: "orchestrator" }

interface Sub {
  readonly identity: AgentIdentity
  readonly startedAt: number
  pages: number
}

export type SubAgents = ReturnType<typeof start>

export const start = (recorder: Recorder) => {
  const subs = known(recorder.before)
  let started = recorder.before.filter(
    ({ agent, type }) => type === "agent.started" && agent.role === "subagent"
  ).length

  /** The sub-agent of a page's host; it starts with its first page. */
  const of = Effect.fnUntraced(function* (url: URL) {
    const host = PageUrl.bareHost(url)
    const known = subs.get(host)
    if (known !== undefined) return known
    const identity: AgentIdentity = {
      id: `reader-${++started}`,
      role: "subagent",
      name: host,
      parentId: orchestrator.id
    }
    const sub: Sub = { identity, startedAt: yield* Clock.currentTimeMillis, pages: 0 }
    subs.set(host, sub)
    yield* recorder.tell(identity, { type: "agent.started" })
    return sub
  })

  /** Finishes all sub-agents. `waits`: hosts with unread pages; `why`: the reason if the run was stopped. */
  const finish = Effect.fnUntraced(function* (waits: ReadonlySet<string>, why: TraceError | undefined) {
    for (const [host, { identity, pages, startedAt }] of subs) {
      const durationMs = (yield* Clock.currentTimeMillis) - startedAt
      const stopped = why ?? (waits.has(host) ? parentFinished : undefined)
      const finished: Happening =
        stopped !== undefined
          ? { type: "agent.finished", outcome: "cancelled", durationMs, error: stopped }
          : pages > 0
            ? { type: "agent.finished", outcome: "succeeded", durationMs, error: null }
            : { type: "agent.finished", outcome: "failed", durationMs, error: noPage(host) }
      yield* recorder.tell(identity, finished)
    }
  })

  return { of, finish }
}

/** The sub-agents that started before this process continued the run, and have not finished. */
const known = (before: ReadonlyArray<TraceEvent>): Map<string, Sub> => {
  const subs = new Map<string, Sub>()
  for (const { agent, occurredAt, result, type } of before) {
    const sub = subs.get(agent.name)
    if (agent.role !== "subagent") continue
    if (type === "agent.started" && sub === undefined) {
      subs.set(agent.name, { identity: agent, startedAt: Date.parse(occurredAt), pages: 0 })
    } else if (type === "tool_call.finished" && sub !== undefined && isSchema(result) && "url" in result) sub.pages += 1
    else if (type === "agent.finished") subs.delete(agent.name)
  }
  return subs
}

const parentFinished: TraceError = {
  code: "parent_finished",
  source: "agent",
  retryable: false,
  message: "the run has found everything; the remaining pages were not read"
}

const noPage = (host: string): TraceError => ({
  code: "internal",
  source: "tool",
  retryable: true,
  message: `no page of ${host} could be read`
})
