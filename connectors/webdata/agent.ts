/**
 * The agent source: what agent runs found, as tables, and what they did on the way.
 *
 * The rules of the extract source apply. A failed agent run is a row of `agent_runs`, and its URLs are failed; the
 * pipeline's run fails only if every agent run failed.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { type AgentStatus, agentOptions } from "#contract/Agent"
import { agentAnswers, artifactsOf, readAgent, readSnapshot, readTrace } from "#contract/agentAnswers"
import type { JobAnswer } from "#contract/jobAnswers"
import * as Checkpoint from "#engine/Checkpoint"
import * as Source from "#engine/Source"
import * as Table from "#engine/Table"
import { missingSchema } from "./jobs/askAgain.ts"
import { askJobs } from "./jobs/askJobs.ts"
import { type ExtractedSource, extractedSource } from "./jobs/extractedSource.ts"
import * as JobPlan from "./jobs/JobPlan.ts"
import { defaultSplit, jobOptions } from "./jobs/jobOptions.ts"
import * as jobTables from "./jobs/jobTables.ts"
import { settledOf } from "./jobs/settledOf.ts"

const { showSources: _, ...served } = agentOptions

const Options = Schema.Struct({
  ...served,
  ...jobOptions,
  trace: Schema.optionalKey(
    Schema.Boolean.annotate({
      description: "true: also load the events of runs and the versions of the artifacts that they wrote",
      default: true
    })
  ),
  snapshots: Schema.optionalKey(
    Schema.Boolean.annotate({
      description: "true: also load the contents of the artifacts, with one request for each",
      default: false
    })
  )
})
type Options = typeof Options.Type

const State = Schema.Struct({ jobs: Schema.Array(Schema.String) })
type State = typeof State.Type
type Elements = ReadonlyArray<Source.Element<State>>

/**
 * The source of `type: agent`: data that an agent run finds, by a prompt.
 *
 * @example
 * ```ts
 * import { agent } from "millrace/connectors/webdata"
 *
 * const source = agent.with({ prompt: "Find all open posts: title and salary", urls: ["https://your.site/jobs/"] })
 * console.log(source.tables.map(({ name }) => name)) // ["agent_data", "agent_data__sources", "agent_runs", "agent_events", "agent_snapshots"]
 * ```
 */
export const agent = Source.makePrepared({
  type: "agent",
  description: "data that an agent finds for a prompt, and what it did to find it",
  options: Options,
  state: State,
  incremental: false,
  keyed: true,
  cursor: JobPlan.Cursor,
  prepare: ({ schema }, key) =>
    extractedSource({ source: "agent", name: "agent_data", schema: schema ?? undefined, key }),
  tables: (_, __, { extracted: { sources, table } }) => [
    table,
    sources,
    jobTables.agentRuns,
    jobTables.agentEvents,
    jobTables.agentSnapshots
  ],
  fetch: (options, from, _, source) =>
    Stream.unwrap(
      Effect.map(source.items, () =>
        askJobs(
          {
            source: "agent",
            chunks: chunksOf(options),
            answers: (task, from) =>
              agentAnswers(
                requestOf(options, source, task),
                { trace: options.trace ?? true, snapshots: options.snapshots ?? false },
                from
              ),
            started: () => ({}),
            settle: (task, answer) => settle(options, source, task, answer)
          },
          from
        )
      )
    ),
  decode: (options, answer, _, source) => decode(options, source, answer)
})

const chunksOf = ({ split = defaultSplit, urls }: Options) => JobPlan.split(urls, split)

/** The request to the service; a repeated one asks only for what is missing. */
const requestOf = (options: Options, { extracted }: ExtractedSource, { again, urls }: JobPlan.Task) => {
  const { retry_missing: _, snapshots: __, split: ___, trace: ____, urls: _____, ...request } = options
  const schema = again === undefined ? options.schema : missingSchema(extracted, again)
  // What was considered is for the sheet of the run.
  return {
    ...request,
    showSources: true,
    ...(urls.length === 0 ? {} : { urls }),
    ...(schema == null ? {} : { schema })
  }
}

const settle = Effect.fnUntraced(function* (
  options: Options,
  source: ExtractedSource,
  task: JobPlan.Task,
  answer: JobAnswer
) {
  const status = yield* Effect.mapError(readAgent(answer.text), source.unreadable(answer))
  const hasFailed = status.status !== "completed"
  return yield* settledOf(source, options, task, {
    jobId: answer.cursor.jobId,
    given: givenOf(status),
    failed: answer.cursor.unread ?? 0,
    credits: status.creditsUsed,
    error: hasFailed ? (status.error ?? "the run failed") : undefined,
    isCancelled: hasFailed && answer.cursor.outcome === "cancelled"
  })
})

const givenOf = ({ data = null, sources = {} }: AgentStatus) => ({ data, sources })

const decode = Effect.fnUntraced(function* (
  options: Options,
  source: ExtractedSource,
  answer: Source.Fetched<JobPlan.Cursor>
) {
  const { alone, isLast, state, task } = answer.cursor
  if (task.job === undefined) return []
  const context = { jobId: task.job.jobId, task, now: answer.at, request: requestOf(options, source, task) }
  const rows: Elements = yield* rowsOf(options, source, answer, context)
  if (alone !== undefined) return rows
  const elements: Elements = [
    ...rows,
    Source.progress(JobPlan.factsOf(chunksOf(options), answer.cursor)),
    ...(isLast ? [Checkpoint.make<State>({ jobs: state.jobs })] : [])
  ]
  return elements
})

const rowsOf = Effect.fnUntraced(function* (
  options: Options,
  source: ExtractedSource,
  answer: Source.Fetched<JobPlan.Cursor>,
  context: jobTables.Context
): Effect.fn.Return<Elements, Source.SourceError> {
  const unreadable = source.unreadable(answer)
  if (answer.kind === "ended") {
    const status = yield* Effect.mapError(readAgent(answer.text), unreadable)
    const rows = yield* source.elementsOf(answer, givenOf(status), status.status === "completed")
    if (answer.cursor.alone !== undefined) return rows
    return [...rows, Table.batch(jobTables.agentRuns, [jobTables.agentRun(context, status, options.prompt)])]
  }
  if (answer.kind === "trace") {
    const { events } = yield* Effect.mapError(readTrace(answer.text), unreadable)
    const artifacts = options.snapshots === true ? [] : artifactsOf(events)
    return [
      ...Table.batches(
        jobTables.agentEvents,
        events.map((event) => jobTables.agentEvent(context, event))
      ),
      ...Table.batches(
        jobTables.agentSnapshots,
        artifacts.map((artifact) => jobTables.agentSnapshot(context, artifact, null))
      )
    ]
  }
  const artifact = context.task.job?.artifact
  if (answer.kind !== "snapshot" || artifact === undefined) return []
  const { snapshot } = yield* Effect.mapError(readSnapshot(answer.text), unreadable)
  return [Table.batch(jobTables.agentSnapshots, [jobTables.agentSnapshot(context, artifact, snapshot)])]
})
