/**
 * The run of one interval: its source is read into its journal, then the journal is loaded.
 *
 * The law: an interval runs as a pipeline of its own, so the checkpoint of the pipeline itself does not move; what was
 * read is not asked again after a kill; and a loaded interval is loaded again under its old run, whose rows are replaced
 * in the same commit, so it is there once whatever dies.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import * as Journal from "../Journal.ts"
import type * as Pipeline from "../Pipeline.ts"
import * as Attempt from "../run/Attempt.ts"
import { beginRun } from "../run/beginRun.ts"
import * as RecordedResponses from "../run/RecordedResponses.ts"
import { stopRun } from "../run/stopRun.ts"
import type * as Sink from "../Sink.ts"
import type { SourceError } from "../Source.ts"
import * as Stage from "../Stage.ts"

export interface Options {
  /** The run that destinations have of this interval, if any does: a new one takes its place. */
  readonly loaded: Sink.RunRecord | undefined
  /** Whether a run that was not finished is given up. */
  readonly again: boolean
  /** One interval loads at a time: a destination has one writer. Reading goes on meanwhile. */
  readonly loading: Semaphore.Semaphore
}

export const run = Effect.fn("IntervalRun.run")(function* <R>(pipeline: Pipeline.Pipeline<R>, options: Options) {
  const pipelineJournal = yield* (yield* Journal.Journals).take(
    pipeline.name,
    pipeline.directory,
    pipeline.journal.shared
  )
  const unfinished = yield* goesOn(pipeline, pipelineJournal, options.again)
  let journal = unfinished ?? (yield* begin(pipeline, pipelineJournal, options.loaded))
  const stopping = Effect.onInterrupt(() => stopRun(pipeline, journal))
  const read = yield* Effect.result(stopping(fetch(pipeline, journal)))
  if (read._tag === "Failure") {
    yield* settle(journal, read.failure)
    // Its job is gone: what is left to do is to begin again.
    if (unfinished === undefined || !isOver(read.failure)) return yield* read.failure
    journal = yield* begin(pipeline, pipelineJournal, options.loaded)
    const ours = journal
    yield* stopping(Effect.tapError(fetch(pipeline, ours), (error) => settle(ours, error)))
  }
  return yield* stopping(options.loading.withPermits(1)(load(pipeline, pipelineJournal, journal)))
}, Effect.scoped)

/** The run to continue, if there is one; others that wait for something are given up. */
const goesOn = Effect.fnUntraced(function* <R>(
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

/** A new run, or the existing one, started again. */
const begin = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  pipelineJournal: Journal.Journal,
  loaded: Sink.RunRecord | undefined
) {
  if (loaded !== undefined) yield* pipelineJournal.prune({ before: Number.MAX_SAFE_INTEGER, bytes: 0 })
  return yield* beginRun(pipeline, pipelineJournal, { loaded })
})

/** Reads the source to its end, behind what the journal has. */
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

/** Loads what the journal has. Rows of this very run, which an attempt before this one may have left, make way. */
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

/** Records why it failed. A run that can be continued stays open. */
const settle = (journal: Journal.RunJournal, error: RunError) =>
  isOver(error) || error._tag === "AccountingError" || error._tag === "PlanError"
    ? end(journal, error.message)
    : journal.save({ message: error.message })

const end = Effect.fnUntraced(function* (journal: Journal.RunJournal, message: string) {
  yield* journal.save({ status: "failed", message, ended_at: yield* Clock.currentTimeMillis })
  yield* (yield* Stage.Stages).remove(journal.folder)
})
