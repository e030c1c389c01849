/**
 * The trace of an agent run (specification, Agent trace event; Trace error codes).
 *
 * `producerSequence` counts up from 1 for each agent; the last event of a run is `run.finished`.
 */
import * as Schema from "effect/Schema"

const AgentRole = Schema.Literals(["orchestrator", "subagent", "browser", "system"])

export const AgentIdentity = Schema.Struct({
  id: Schema.String,
  role: AgentRole,
  name: Schema.String,
  parentId: Schema.optionalKey(Schema.String)
})
export type AgentIdentity = typeof AgentIdentity.Type

const TraceErrorCode = Schema.Literals(["cancelled", "credit_limit_reached", "parent_finished", "refused", "internal"])
type TraceErrorCode = typeof TraceErrorCode.Type

export const TraceError = Schema.Struct({
  code: TraceErrorCode,
  source: Schema.Literals(["agent", "tool", "billing", "system"]),
  retryable: Schema.Boolean,
  message: Schema.String
})
export type TraceError = typeof TraceError.Type

export const ArtifactKind = Schema.Literals(["json", "markdown", "html", "screenshot", "text"])
export type ArtifactKind = typeof ArtifactKind.Type

export const Artifact = Schema.Struct({
  kind: ArtifactKind,
  artifactId: Schema.String,
  path: Schema.optionalKey(Schema.String),
  snapshotId: Schema.String,
  change: Schema.Literals(["init", "partial", "append", "modify", "update"]),
  changedFields: Schema.optionalKey(Schema.Array(Schema.String)),
  itemCount: Schema.optionalKey(Schema.Int),
  sourceToolCallId: Schema.optionalKey(Schema.String)
})
export type Artifact = typeof Artifact.Type

const event = <const Type extends string, Fields extends Schema.Struct.Fields>(type: Type, fields: Fields) =>
  Schema.Struct({ type: Schema.Literal(type), ...fields })

const error = Schema.NullOr(TraceError)

/** An event without its time, run and agent. */
export const Happening = Schema.Union([
  event("run.started", {}),
  event("run.cancel_requested", { reason: Schema.Literal("user") }),
  event("run.finished", {
    outcome: Schema.Literals(["succeeded", "failed", "cancelled", "refused", "credit_limit_reached"]),
    error
  }),
  event("agent.started", {}),
  event("agent.finished", {
    outcome: Schema.Literals(["succeeded", "failed", "cancelled", "refused"]),
    durationMs: Schema.Int,
    error
  }),
  event("browser.session.started", { sessionId: Schema.String }),
  event("browser.session.finished", { sessionId: Schema.String, durationMs: Schema.Int }),
  event("progress.reported", {
    phase: Schema.Literals(["planning", "working", "finalizing"]),
    message: Schema.String
  }),
  event("reasoning.summary", { text: Schema.String }),
  event("tool_call.started", { toolCallId: Schema.String, toolName: Schema.String, parameters: Schema.Json }),
  event("tool_call.finished", { toolCallId: Schema.String, toolName: Schema.String, result: Schema.Json }),
  event("artifact.updated", { artifact: Artifact }),
  event("error.occurred", { error: TraceError })
])
export type Happening = typeof Happening.Type

const envelope = {
  schemaVersion: Schema.Literal(1),
  eventId: Schema.String,
  runId: Schema.String,
  occurredAt: Schema.String,
  producerSequence: Schema.Int,
  agent: AgentIdentity
}

export const TraceEvent = Schema.StructWithRest(Schema.Struct({ ...envelope, type: Schema.String }), [
  Schema.Record(Schema.String, Schema.Json)
]).annotate({ identifier: "TraceEvent" })
export type TraceEvent = typeof TraceEvent.Type

export const Trace = Schema.Struct({
  success: Schema.Literal(true),
  id: Schema.String,
  events: Schema.Array(TraceEvent),
  creditsUsed: Schema.Int,
  /** Present if `liveView` was requested. */
  activeBrowserSessions: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        id: Schema.String,
        liveViewUrl: Schema.String,
        viewport: Schema.Struct({ width: Schema.Int, height: Schema.Int })
      })
    )
  )
})
export type Trace = typeof Trace.Type
