/**
 * The report of a run that has ended.
 *
 * The report is made when a run has ended. Making it also prunes the journal: runs that are over and too old are removed.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Journal from "../Journal.ts"
import type * as Pipeline from "../Pipeline.ts"
import type * as Sink from "../Sink.ts"
import type * as Attempt from "./Attempt.ts"

/** What a run did: its status, its rows by table, what each sink committed, what its checks found. */
export interface Report extends Attempt.Outcome {
  /** The name of the pipeline. */
  readonly pipeline: string
  /** The id of the run, such as "20261121T042305345Z-41ac7e". */
  readonly runId: string
  /** When the run began: milliseconds since the epoch. */
  readonly startedAt: number
  /** How long this call took, in milliseconds. */
  readonly durationMillis: number
  /** Whether it continued a run that an earlier attempt had begun. */
  readonly resumed: boolean
  /** The ids of earlier runs that this call has committed from the journal to sinks that had missed them. */
  readonly caughtUp: ReadonlyArray<string>
  /** Other runs of this call, with their rows: for sinks with other checkpoints, or an unfinished run that came first. */
  readonly before: ReadonlyArray<Pick<Report, "runId" | "rows">>
  /** The caller's key; undefined: there is none. */
  readonly once: string | undefined
  /** How many parts of it were committed while it read its source. */
  readonly parts: number
  /** If the run under the caller's key was already done, so that this call did nothing: its record in each sink. */
  readonly alreadyDone: Readonly<Record<string, Sink.RunRecord>> | undefined
}

export const compose = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  pipelineJournal: Journal.Journal,
  ended: {
    readonly outcome: Attempt.Outcome
    readonly run: Pick<Report, "runId" | "startedAt" | "once"> & { readonly parts?: number }
    /** When this call began, in milliseconds since the epoch. */
    readonly began: number
    readonly caughtUp: ReadonlyArray<string>
    readonly resumed?: boolean
    readonly before?: Report["before"]
    readonly alreadyDone?: Report["alreadyDone"]
  }
) {
  const now = yield* Clock.currentTimeMillis
  const { bytes, keepMillis } = pipeline.journal
  // With 0, the journal of this run is not kept either.
  const keep =
    keepMillis === 0 ? { before: now + 1, bytes: 0 } : { before: now - keepMillis, bytes, spare: ended.run.runId }
  yield* pipelineJournal.prune(keep)
  const made: Report = {
    ...ended.outcome,
    ...ended.run,
    parts: ended.run.parts ?? 0,
    pipeline: pipeline.name,
    durationMillis: Math.max(0, now - ended.began),
    resumed: ended.resumed ?? false,
    caughtUp: ended.caughtUp,
    before: [...(ended.before ?? [])],
    alreadyDone: ended.alreadyDone
  }
  return made
})

/** The members of a report that come from the journal of its run. */
export const runOf = ({
  state
}: Pick<Journal.RunJournal, "state">): Pick<Report, "runId" | "startedAt" | "once" | "parts"> => ({
  runId: state.run_id,
  startedAt: state.started_at,
  once: state.once,
  parts: state.parts ?? 0
})
