/**
 * The tables of the jobs themselves: what was asked, what came of it, what it cost, and what an agent did.
 */
import * as Schema from "effect/Schema"
import type { AgentStatus } from "../../../src/api/Agent.ts"
import type { ExtractStatus } from "../../../src/api/Extract.ts"
import type { Artifact, TraceEvent } from "../../../src/api/Trace.ts"
import * as Column from "../../../src/pipeline/Column.ts"
import * as Instant from "../../../src/pipeline/Instant.ts"
import * as Table from "../../../src/pipeline/Table.ts"
import { withoutHeaders } from "../../../src/pipeline/withoutHeaders.ts"
import type * as JobPlan from "./JobPlan.ts"

const text = Schema.NullOr(Schema.String)
const texts = Schema.NullOr(Schema.Array(Schema.String))
const moment = Schema.NullOr(Column.Timestamp)

const system = { _fetched_at: Column.Timestamp, _source_url: text, _job_id: Schema.String }

/** What every job has. */
const shared = {
  urls: texts,
  status: Schema.String,
  engine: text,
  model: text,
  credits: Schema.NullOr(Schema.Int),
  missing_count: Schema.NullOr(Schema.Int),
  error: text,
  /** 0: it was the first to ask; 1: it asked once more for what was missing. */
  asked_again: Schema.Int,
  request: Schema.Json,
  started_at: moment,
  ended_at: Column.Timestamp,
  expires_at: moment
}

export const extractJobs = Table.make({
  name: "extract_jobs",
  suffix: "_jobs",
  description: "one row per extract: what was asked, what came of it, what it cost",
  key: ["job_id"],
  schema: Schema.Struct({
    job_id: Schema.String,
    ...shared,
    tokens: Schema.NullOr(Schema.Int),
    warnings: texts,
    ...system
  })
})

export const agentRuns = Table.make({
  name: "agent_runs",
  suffix: "_runs",
  description: "one row per agent run: what was asked, how it ended, what it cost",
  key: ["run_id"],
  schema: Schema.Struct({
    run_id: Schema.String,
    thread_id: text,
    thread_turn: Schema.NullOr(Schema.Int),
    outcome: text,
    prompt: Schema.String,
    effort: text,
    message: text,
    ...shared,
    created_at: moment,
    exchange: Schema.NullOr(Schema.Json),
    ...system
  })
})

export const agentEvents = Table.make({
  name: "agent_events",
  suffix: "_events",
  description: "one row per event of an agent run, from its trace",
  key: ["event_id"],
  schema: Schema.Struct({
    event_id: Schema.String,
    run_id: Schema.String,
    agent_id: Schema.String,
    role: Schema.String,
    agent_name: Schema.String,
    parent_id: text,
    sequence: Schema.Int,
    type: Schema.String,
    occurred_at: moment,
    event: Schema.Json,
    ...system
  })
})

export const agentSnapshots = Table.make({
  name: "agent_snapshots",
  suffix: "_snapshots",
  description: "one row per version of an artifact that an agent run wrote; its content if `snapshots` is true",
  key: ["snapshot_id"],
  schema: Schema.Struct({
    snapshot_id: Schema.String,
    run_id: Schema.String,
    artifact_id: Schema.String,
    path: text,
    kind: Schema.String,
    change: Schema.String,
    item_count: Schema.NullOr(Schema.Int),
    content: text,
    ...system
  })
})

/** What the rows of one answer share. */
export interface Context {
  readonly jobId: string
  readonly task: JobPlan.Task
  /** Milliseconds since the epoch, when the answer came. */
  readonly now: number
  readonly request: unknown
}

const systemOf = ({ jobId, now, task }: Context) => ({
  _fetched_at: Column.timestampFromMillis(now),
  _source_url: task.urls[0] ?? null,
  _job_id: jobId
})

const sharedOf = (
  { now, request, task }: Context,
  status: Pick<ExtractStatus | AgentStatus, "engine" | "expiresAt" | "missing" | "error"> & { readonly status: string }
) => ({
  urls: task.urls,
  status: status.status,
  engine: status.engine?.name ?? null,
  missing_count: status.missing?.length ?? null,
  error: status.error ?? null,
  asked_again: task.again?.round ?? 0,
  request: withoutHeaders(request),
  started_at: task.startedAt === undefined ? null : Column.timestampFromMillis(task.startedAt),
  ended_at: Column.timestampFromMillis(now),
  expires_at: Instant.microsOf(status.expiresAt) ?? null
})

export const extractJob = (context: Context, status: ExtractStatus): Table.Row => ({
  job_id: context.jobId,
  ...sharedOf(context, status),
  model: status.engine?.model ?? null,
  credits: status.creditsUsed ?? null,
  tokens: status.tokensUsed ?? null,
  warnings: [...(context.task.invalid ?? []).map((url) => `${url}: it is not a URL`), ...(status.warnings ?? [])],
  ...systemOf(context)
})

export const agentRun = (context: Context, status: AgentStatus, prompt: string): Table.Row => ({
  run_id: context.jobId,
  thread_id: status.threadId,
  thread_turn: status.threadTurn,
  outcome: context.task.job?.outcome ?? null,
  prompt,
  effort: status.effort ?? null,
  message: status.message ?? null,
  ...sharedOf(context, status),
  model: status.engine?.model ?? status.model,
  credits: status.creditsUsed,
  created_at: Instant.microsOf(status.createdAt) ?? null,
  exchange: status.exchange,
  ...systemOf(context)
})

export const agentEvent = (context: Context, event: TraceEvent): Table.Row => ({
  event_id: event.eventId,
  run_id: event.runId,
  agent_id: event.agent.id,
  role: event.agent.role,
  agent_name: event.agent.name,
  parent_id: event.agent.parentId ?? null,
  sequence: event.producerSequence,
  type: event.type,
  occurred_at: Instant.microsOf(event.occurredAt) ?? null,
  event,
  ...systemOf(context)
})

export const agentSnapshot = (context: Context, artifact: Artifact, content: string | null): Table.Row => ({
  snapshot_id: artifact.snapshotId,
  run_id: context.jobId,
  artifact_id: artifact.artifactId,
  path: artifact.path ?? null,
  kind: artifact.kind,
  change: artifact.change,
  item_count: artifact.itemCount ?? null,
  content,
  ...systemOf(context)
})
