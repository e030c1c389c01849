/**
 * Records a run while it works: its trace, its artifacts, its cost.
 *
 * An event is written together with what it reports, so every `snapshotId` has its snapshot. An artifact keeps its id when
 * it changes, even if another process continues the run, and a call that was recorded and paid for is not repeated.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Json } from "#contract/JsonSchema"
import { type AgentIdentity, Artifact, type Happening, type TraceEvent } from "#contract/Trace"
import { uuid7 } from "#contract/uuid7"
import { AgentStore, type Snapshot } from "./AgentStore.ts"

/** A version of an artifact. */
export interface Version {
  readonly path: string
  readonly kind: Artifact["kind"]
  readonly content: string
  readonly change: Artifact["change"]
  readonly changedFields?: ReadonlyArray<string>
  readonly itemCount?: number
}

export type Recorder = Effect.Success<ReturnType<typeof open>>

/** The recorder of a run. It reads earlier events of the run first. */
export const open = Effect.fnUntraced(function* (runId: string) {
  const store = yield* AgentStore
  const before = yield* store.events(runId)
  const artifacts = artifactsIn(before)

  const eventOf = (agent: AgentIdentity, happening: Happening) =>
    Effect.map(Clock.currentTimeMillis, (now) => traceEvent(runId, agent, happening, now))

  /** Makes events, which the caller writes. */
  const events = (agent: AgentIdentity, happenings: ReadonlyArray<Happening>) =>
    Effect.forEach(happenings, (happening) => eventOf(agent, happening))

  const tell = Effect.fnUntraced(function* (agent: AgentIdentity, ...happenings: ReadonlyArray<Happening>) {
    yield* store.record(runId, { events: yield* events(agent, happenings) })
  })

  const artifact = Effect.fnUntraced(function* (agent: AgentIdentity, version: Version, sourceToolCallId?: string) {
    const { content, kind, path } = version
    const artifactId = artifacts.get(path) ?? uuid7()
    artifacts.set(path, artifactId)
    const snapshot: Snapshot = { id: uuid7(), kind, content }
    const event = yield* eventOf(agent, updated(version, artifactId, snapshot.id, sourceToolCallId))
    return { event, snapshot }
  })

  /** Makes the events and snapshots for what a call has ended with. The caller writes them. */
  const recordsOf = Effect.fnUntraced(function* (
    agent: AgentIdentity,
    toolCallId: string,
    happenings: ReadonlyArray<Happening>,
    versions: ReadonlyArray<Version>
  ) {
    const own = yield* events(agent, happenings)
    const written = yield* Effect.forEach(versions, (version) => artifact(agent, version, toolCallId))
    return {
      events: [...own, ...written.map(({ event }) => event)],
      snapshots: written.map(({ snapshot }) => snapshot)
    }
  })

  /** Calls a tool: records an event before it, and its result and cost after it. */
  const tool = <A, E, R>(
    agent: AgentIdentity,
    name: string,
    parameters: { readonly [name: string]: Json },
    call: Effect.Effect<Called<A>, E, R>
  ) =>
    Effect.gen(function* () {
      const toolCallId = uuid7()
      yield* tell(agent, { type: "tool_call.started", toolCallId, toolName: name, parameters })
      const { artifacts: versions = [], credits = 0, result, value } = yield* call
      const finished: Happening = { type: "tool_call.finished", toolCallId, toolName: name, result }
      yield* store.record(runId, {
        ...(yield* recordsOf(agent, toolCallId, [finished], versions)),
        credits,
        action: JSON.stringify([{ creditsUsed: credits, action: name, input: parameters }])
      })
      return value
    })

  /** Makes the events and snapshots for the end of a call whose start was recorded. The caller writes them. */
  const finishedCall = (agent: AgentIdentity, call: FinishedCall) =>
    recordsOf(agent, call.toolCallId, endOf(call), call.versions)

  const write = Effect.fnUntraced(function* (agent: AgentIdentity, version: Version) {
    const { event, snapshot } = yield* artifact(agent, version)
    yield* store.record(runId, { events: [event], snapshots: [snapshot] })
  })

  /** The result of a tool call before this process continued the run. Returns undefined if there was none. */
  const gave = (name: string, isIt: (parameters: Json) => boolean): Json | undefined => resultIn(before, name, isIt)

  // A request to cancel may be the first event of a run, so the run is new until it has recorded its start.
  const isNew = !before.some(({ type }) => type === "run.started")
  return { tell, tool, write, events, finishedCall, gave, before, isNew }
})

/** The ids of the artifacts in a trace, by their paths. */
const artifactsIn = (before: ReadonlyArray<TraceEvent>): Map<string, string> => {
  const artifacts = new Map<string, string>()
  for (const event of before) {
    const known = Option.getOrUndefined(decodeArtifact(event["artifact"]))
    if (known?.path !== undefined) artifacts.set(known.path, known.artifactId)
  }
  return artifacts
}

const updated = (
  { change, changedFields, itemCount, kind, path }: Version,
  artifactId: string,
  snapshotId: string,
  sourceToolCallId: string | undefined
): Happening => ({
  type: "artifact.updated",
  artifact: {
    kind,
    artifactId,
    path,
    snapshotId,
    change,
    ...(changedFields === undefined ? {} : { changedFields }),
    ...(itemCount === undefined ? {} : { itemCount }),
    ...(sourceToolCallId === undefined ? {} : { sourceToolCallId })
  }
})

const endOf = ({ error, result, session, toolCallId, toolName }: FinishedCall): ReadonlyArray<Happening> => [
  ...(session === undefined
    ? []
    : [{ type: "browser.session.finished", sessionId: toolCallId, durationMs: session.durationMs } as const]),
  { type: "tool_call.finished", toolCallId, toolName, result },
  ...(error === undefined
    ? []
    : [
        {
          type: "error.occurred",
          error: { code: "internal", source: "tool", retryable: true, message: error }
        } as const
      ])
]

const resultIn = (
  before: ReadonlyArray<TraceEvent>,
  name: string,
  isIt: (parameters: Json) => boolean
): Json | undefined => {
  const call = before.find(
    ({ parameters, toolName, type }) => type === "tool_call.started" && toolName === name && isIt(parameters ?? null)
  )
  if (call === undefined) return undefined
  const end = before.find(({ toolCallId, type }) => type === "tool_call.finished" && toolCallId === call["toolCallId"])
  return end?.["result"]
}

const decodeArtifact = Schema.decodeUnknownOption(Artifact)

export interface FinishedCall {
  readonly toolCallId: string
  readonly toolName: string
  readonly result: Json
  readonly versions: ReadonlyArray<Version>
  /** Present if the call used a browser. */
  readonly session?: { readonly durationMs: number }
  /** The reason of a failure. */
  readonly error?: string
}

/** The result of a tool. */
export interface Called<A> {
  readonly value: A
  /** The result for the trace. */
  readonly result: Json
  readonly credits?: number
  readonly artifacts?: ReadonlyArray<Version>
}

/** An event. The store sets its `producerSequence`. */
export const traceEvent = (runId: string, agent: AgentIdentity, happening: Happening, now: number): TraceEvent => ({
  schemaVersion: 1,
  eventId: uuid7(now),
  runId,
  occurredAt: new Date(now).toISOString(),
  producerSequence: 0,
  agent,
  ...happening
})
