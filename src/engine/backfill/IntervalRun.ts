/**
 * The run of one interval: its source is read into its journal, then the journal is loaded.
 *
 * Guarantee: an interval runs as a pipeline of its own, so the checkpoint of the pipeline itself does not move. After a kill,
 * answers in the journal are not requested again. A loaded interval is loaded again under its old run id, and its old rows
 * are replaced in the same commit, so its rows are there once, even after a kill.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import { beginRun } from "../beginRun.ts"
import * as Journal from "../Journal.ts"
import type * as Pipeline from "../Pipeline.ts"
import * as Attempt from "../run/Attempt.ts"
import * as RecordedResponses from "../run/RecordedResponses.ts"
import { stopRun } from "../run/stopRun.ts"
import type * as Sink from "../Sink.ts"
import type { SourceError } from "../Source.ts"
import * as Stage from "../Stage.ts"

interface Options {
  /** The run of this interval that destinations have; undefined: none. It is loaded again under the same id. */
  readonly loaded: Sink.RunRecord | undefined
  /** Whether an unfinished run is given up. */
  readonly again: boolean
  /** Lets one interval load at a time, because a destination has one writer. Other intervals are read meanwhile. */
  readonly loading: Semaphore.Semaphore
}

export const run = Effect.fn("IntervalRun.run")(function* <R>(pipeline: Pipeline.Pipeline<R>, options: Options) {
  const pipelineJournal = yield* (yield* Journal.Journals).take(
    pipeline.name,
    pipeline.directory,
    pipeline.journal.shared
  )
  const unfinished = yield* unfinishedRun(pipeline, pipelineJournal, options.again)
  let journal = unfinished ?? (yield* begin(pipeline, pipelineJournal, options.loaded))
  const stopping = Effect.onInterrupt(() => stopRun(pipeline, journal))
  const read = yield* Effect.result(stopping(fetch(pipeline, journal)))
  if (read._tag === "Failure") {
    yield* settle(journal, read.failure)
    // Its job is gone, so the interval begins again.
    if (unfinished === undefined || !isOver(read.failure)) return yield* read.failure
    journal = yield* begin(pipeline, pipelineJournal, options.loaded)
    const ours = journal
    yield* stopping(Effect.tapError(fetch(pipeline, ours), (error) => settle(ours, error)))
  }
  return yield* stopping(options.loading.withPermits(1)(load(pipeline, pipelineJournal, journal)))
}, Effect.scoped)

/** The run to continue, if there is one. Other runs that are not over are given up. */
const unfinishedRun = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  pipelineJournal: Journal.Journal,
  again: boolean
) {
  const open = (yield* pipelineJournal.runs).filter(({ state }) => !Journal.isOver(state.status))
  const last = open.at(-1)?.state
  const isSame = last?.source === pipeline.source.type && last.options === pipeline.source.options
  const id = !again && isSame && last.status !== "held" ? last.run_id : undefined
  for (const { state } of open) {
    if (state.run_id === id) continue
    yield* Effect.scoped(
      Effect.flatMap(pipelineJournal.open(state.run_id), (journal) =>
        end(journal, "given up: the interval is run again")
      )
    )
  }
  return id === undefined ? undefined : yield* pipelineJournal.open(id)
})

/** Begins a new run, or the loaded run again. */
const begin = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  pipelineJournal: Journal.Journal,
  loaded: Sink.RunRecord | undefined
) {
  if (loaded !== undefined) yield* pipelineJournal.prune({ before: Number.MAX_SAFE_INTEGER, bytes: 0 })
  return yield* beginRun(pipeline, pipelineJournal, { loaded })
})

/** Reads the source to its end, after the last answer in the journal. */
const fetch = Effect.fnUntraced(function* <R>(pipeline: Pipeline.Pipeline<R>, journal: Journal.RunJournal) {
  if (journal.state.status !== "reading") return
  let after: Option.Option<unknown> = Option.none()
  yield* Stream.runForEach(journal.answers, ({ cursor }) =>
    Effect.sync(() => {
      after = Option.some(cursor)
    })
  )
  const from = RecordedResponses.resumePoint(pipeline, journal, Option.none(), after)
  yield* Stream.runForEach(pipeline.source.fetch(from), journal.append)
  yield* journal.save({ status: "read", message: null })
})

/** Loads the answers of the journal. They replace rows that an earlier attempt of this run has left. */
const load = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  pipelineJournal: Journal.Journal,
  journal: Journal.RunJournal
) {
  const how: Attempt.Options = { ...Attempt.optionsOf({ fullRefresh: true }), again: true }
  const outcome = yield* Effect.tapError(Attempt.run(pipeline, pipelineJournal, journal, how), (error) =>
    settle(journal, error)
  )
  if (outcome.status !== "held") {
    const failures = Object.entries(outcome.failures).map(([name, { message }]) => `sink ${name}: ${message}`)
    const message = failures.join("; ") || null
    const ended_at = yield* Clock.currentTimeMillis
    yield* journal.save({ status: outcome.status, rows: outcome.rows, message, ended_at })
  }
  return { ...outcome, runId: journal.state.run_id, message: journal.state.message }
})

type RunError = SourceError | Journal.JournalError | Effect.Error<ReturnType<typeof Attempt.run>>

const isOver = (error: RunError): boolean => error._tag === "SourceError" && error.over === true

/** Records why the run failed. A run that can be continued stays open. */
const settle = (journal: Journal.RunJournal, error: RunError) =>
  isOver(error) || error._tag === "AccountingError" || error._tag === "PlanError"
    ? end(journal, error.message)
    : journal.save({ message: error.message })

const end = Effect.fnUntraced(function* (journal: Journal.RunJournal, message: string) {
  yield* journal.save({ status: "failed", message, ended_at: yield* Clock.currentTimeMillis })
  yield* (yield* Stage.Stages).remove(journal.folder)
})
