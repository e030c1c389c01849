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

export type Recorder = Effect.Success<ReturnType<typeof make>>

/** The recorder of a run. It reads earlier events of the run first. */
export const make = Effect.fnUntraced(function* (runId: string) {
  const store = yield* AgentStore
  const artifacts = new Map<string, string>()
  const before = yield* store.events(runId)
  for (const event of before) {
    const known = Option.getOrUndefined(decodeArtifact(event["artifact"]))
    if (known?.path !== undefined) artifacts.set(known.path, known.artifactId)
  }

  const eventOf = (agent: AgentIdentity, happening: Happening) =>
    Effect.map(Clock.currentTimeMillis, (now) => traceEvent(runId, agent, happening, now))

  const tell = Effect.fnUntraced(function* (agent: AgentIdentity, ...happenings: ReadonlyArray<Happening>) {
    const events = yield* Effect.forEach(happenings, (happening) => eventOf(agent, happening))
    yield* store.record(runId, { events })
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
      const finished = yield* eventOf(agent, { type: "tool_call.finished", toolCallId, toolName: name, result })
      const written = yield* Effect.forEach(versions, (version) => artifact(agent, version, toolCallId))
      yield* store.record(runId, {
        events: [finished, ...written.map(({ event }) => event)],
        snapshots: written.map(({ snapshot }) => snapshot),
        credits,
        action: JSON.stringify([{ creditsUsed: credits, action: name, input: parameters }])
      })
      return value
    })

  const artifact = Effect.fnUntraced(function* (agent: AgentIdentity, version: Version, sourceToolCallId?: string) {
    const { change, changedFields, content, itemCount, kind, path } = version
    const artifactId = artifacts.get(path) ?? uuid7()
    artifacts.set(path, artifactId)
    const snapshot: Snapshot = { id: uuid7(), kind, content }
    const event = yield* eventOf(agent, {
      type: "artifact.updated",
      artifact: {
        kind,
        artifactId,
        path,
        snapshotId: snapshot.id,
        change,
        ...(changedFields === undefined ? {} : { changedFields }),
        ...(itemCount === undefined ? {} : { itemCount }),
        ...(sourceToolCallId === undefined ? {} : { sourceToolCallId })
      }
    })
    return { event, snapshot }
  })

  /** Makes events, which the caller writes. */
  const events = (agent: AgentIdentity, happenings: ReadonlyArray<Happening>) =>
    Effect.forEach(happenings, (happening) => eventOf(agent, happening))

  /** Makes the events and snapshots for the end of a call whose start was recorded. The caller writes them. */
  const finishedCall = Effect.fnUntraced(function* (agent: AgentIdentity, call: FinishedCall) {
    const { error, result, session, toolCallId, toolName, versions } = call
    const ended: ReadonlyArray<Happening> = [
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
    const told = yield* events(agent, ended)
    const written = yield* Effect.forEach(versions, (version) => artifact(agent, version, toolCallId))
    return {
      events: [...told, ...written.map(({ event }) => event)],
      snapshots: written.map(({ snapshot }) => snapshot)
    }
  })

  const write = Effect.fnUntraced(function* (agent: AgentIdentity, version: Version) {
    const { event, snapshot } = yield* artifact(agent, version)
    yield* store.record(runId, { events: [event], snapshots: [snapshot] })
  })

  /** The result of a tool call before this process continued the run. Returns undefined if there was none. */
  const gave = (name: string, isIt: (parameters: Json) => boolean): Json | undefined => {
    const call = before.find(
      ({ parameters, toolName, type }) => type === "tool_call.started" && toolName === name && isIt(parameters ?? null)
    )
    return call === undefined
      ? undefined
      : before.find(({ toolCallId, type }) => type === "tool_call.finished" && toolCallId === call["toolCallId"])?.[
          "result"
        ]
  }

  // A request to cancel may be the first event of a run, so the run is new until it has recorded its start.
  return {
    tell,
    tool,
    write,
    events,
    finishedCall,
    gave,
    before,
    isNew: !before.some(({ type }) => type === "run.started")
  }
})

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
