/**
 * The tables of the jobs themselves: the request, the result, the cost, and what an agent did.
 */
import * as Schema from "effect/Schema"
import type { AgentStatus } from "#contract/Agent"
import type { ExtractStatus } from "#contract/Extract"
import type { Artifact, TraceEvent } from "#contract/Trace"
import * as Column from "#engine/Column"
import * as Instant from "#engine/Instant"
import * as Table from "#engine/Table"
import { withoutHeaders } from "#engine/withoutHeaders"
import type * as JobPlan from "./JobPlan.ts"
import { jobSheet } from "./jobSheet.ts"

const { described } = Column
const text = Schema.NullOr(Schema.String)
const texts = Schema.NullOr(Schema.Array(Schema.String))
const moment = Schema.NullOr(Column.Timestamp)

const system = {
  _fetched_at: described(Column.Timestamp, "when the answer came"),
  _source_url: described(text, "the first requested URL"),
  _job_id: described(Schema.String, "its job")
}

/** The columns of every job. */
const shared = {
  urls: described(texts, "the requested URLs"),
  status: described(Schema.String, "how the job ended"),
  engine: described(text, "what found the data: rules or a model"),
  model: described(text, "the model, if one was used"),
  credits: described(Schema.NullOr(Schema.Int), "the credits that it cost"),
  missing_count: described(Schema.NullOr(Schema.Int), "required values that were not found"),
  sheet: described(
    Schema.NullOr(Schema.Json),
    "each field: how many values were found, were read and not said, were not understood, or were given by a model and are on no page, and what was considered and why it was left; and the numbers of pages that were not read, and of links that are gone"
  ),
  error: described(text, "why it failed"),
  asked_again: described(Schema.Int, "0: the first request; 1: another request for missing values"),
  request: described(Schema.Json, "the request, without secret headers"),
  started_at: described(moment, "when it began"),
  ended_at: described(Column.Timestamp, "when it ended"),
  expires_at: described(moment, "when the service deletes it")
}

export const extractJobs = Table.make({
  name: "extract_jobs",
  suffix: "_jobs",
  description: "one row per extract: its request, its result, its cost",
  key: ["job_id"],
  schema: Schema.Struct({
    job_id: described(Schema.String, "the id of the job"),
    ...shared,
    tokens: described(Schema.NullOr(Schema.Int), "the tokens that a model used"),
    warnings: described(texts, "what the service warns of"),
    ...system
  })
})

export const agentRuns = Table.make({
  name: "agent_runs",
  suffix: "_runs",
  description: "one row per agent run: its request, its result, its cost",
  key: ["run_id"],
  schema: Schema.Struct({
    run_id: described(Schema.String, "the id of the run"),
    thread_id: described(text, "its conversation"),
    thread_turn: described(Schema.NullOr(Schema.Int), "its place in that conversation"),
    outcome: described(text, "whether the goal was reached"),
    prompt: described(Schema.String, "the goal"),
    effort: described(text, "the requested effort"),
    message: described(text, "the answer in words"),
    ...shared,
    created_at: described(moment, "when it was requested"),
    exchange: described(Schema.NullOr(Schema.Json), "what the user and the agent said"),
    ...system
  })
})

export const agentEvents = Table.make({
  name: "agent_events",
  suffix: "_events",
  description: "one row per event of an agent run, from its trace",
  key: ["event_id"],
  schema: Schema.Struct({
    event_id: described(Schema.String, "the id of the event"),
    run_id: described(Schema.String, "its run"),
    agent_id: described(Schema.String, "the agent that did it"),
    role: described(Schema.String, "the role of that agent"),
    agent_name: described(Schema.String, "the name of that agent"),
    parent_id: described(text, "the agent that started that agent"),
    sequence: described(Schema.Int, "its place among the events of that agent"),
    type: described(Schema.String, "what kind of event it is"),
    occurred_at: described(moment, "when it happened"),
    event: described(Schema.Json, "the whole event"),
    ...system
  })
})

export const agentSnapshots = Table.make({
  name: "agent_snapshots",
  suffix: "_snapshots",
  description: "one row per version of an artifact that an agent run wrote; its content if `snapshots` is true",
  key: ["snapshot_id"],
  schema: Schema.Struct({
    snapshot_id: described(Schema.String, "the id of this version"),
    run_id: described(Schema.String, "the run that wrote it"),
    artifact_id: described(Schema.String, "the artifact that it is a version of"),
    path: described(text, "the path of the artifact"),
    kind: described(Schema.String, "what the artifact is"),
    change: described(Schema.String, "what the run did to it"),
    item_count: described(Schema.NullOr(Schema.Int), "how many items it has"),
    content: described(text, "its content, if the pipeline file asks for it"),
    ...system
  })
})

/** What the rows of one answer share. */
export interface Context {
  readonly jobId: string
  readonly task: JobPlan.Task
  /** When the answer arrived, in milliseconds since the epoch. */
  readonly now: number
  readonly request: unknown
  /** Why its page gives no row. */
  readonly empty?: string
}

const systemOf = ({ jobId, now, task }: Context) => ({
  _fetched_at: Column.timestampFromMillis(now),
  _source_url: task.urls[0] ?? null,
  _job_id: jobId
})

const sharedOf = (
  { now, request, task }: Context,
  status: Pick<
    ExtractStatus | AgentStatus,
    "data" | "engine" | "expiresAt" | "missing" | "unclear" | "error" | "unsupported" | "considered"
  > & {
    readonly status: string
    readonly pagesFailed?: number
    readonly pagesGone?: ReadonlyArray<string>
  }
) => ({
  urls: task.urls,
  status: status.status,
  engine: status.engine?.name ?? null,
  missing_count: status.missing?.length ?? null,
  sheet: status.status === "completed" ? jobSheet(status.data ?? null, status) : null,
  error: status.error ?? null,
  asked_again: task.again?.round ?? 0,
  request: withoutHeaders(request),
  started_at: task.startedAt === undefined ? null : Column.timestampFromMillis(task.startedAt),
  ended_at: Column.timestampFromMillis(now),
  expires_at: Instant.microsOf(status.expiresAt) ?? null
})

/** The warnings of a job. */
export const jobWarnings = (
  { empty, task }: Context,
  { warning, warnings = [] }: ExtractStatus
): ReadonlyArray<string> => [
  ...(task.invalid ?? []).map((url) => `${url}: it is not a URL`),
  ...warnings,
  ...(warning === undefined ? [] : [warning]),
  ...(empty === undefined ? [] : [empty])
]

export const extractJob = (context: Context, status: ExtractStatus): Table.Row => ({
  job_id: context.jobId,
  ...sharedOf(context, status),
  model: status.engine?.model ?? null,
  credits: status.creditsUsed ?? null,
  tokens: status.tokensUsed ?? null,
  warnings: jobWarnings(context, status),
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
