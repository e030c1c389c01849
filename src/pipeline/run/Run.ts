/**
 * Running a pipeline: the next run, or the unfinished one.
 *
 * The law: a run that was killed, or could not continue, is finished before another begins, and its source is not asked
 * again for known answers; destinations that missed a run get it from the journal first; one process at a time runs a
 * pipeline; a caller's key is done once, however often it is used.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Journal from "../Journal.ts"
import type * as Pipeline from "../Pipeline.ts"
import * as Stage from "../Stage.ts"
import * as Attempt from "./Attempt.ts"
import * as AttemptOutcome from "./AttemptOutcome.ts"
import { beginRun } from "./beginRun.ts"
import * as onceRun from "./onceRun.ts"
import * as Report from "./Report.ts"
import { removeStages } from "./removeStages.ts"
import { type Stopped, stopRun } from "./stopRun.ts"

export type { Accounting } from "./Accounting.ts"
export { AccountingError, CountError } from "./Accounting.ts"
export type { Progress } from "./Attempt.ts"
export { commit, drop, replay } from "./PastRun.ts"
export { PlanError } from "./planOf.ts"
export type { Report } from "./Report.ts"
export { ContractError } from "./RowValidator.ts"
export type { Stopped } from "./stopRun.ts"

/**
 * How a run is made: from the beginning or not, under which key, and where its progress is reported.
 */
export interface Options {
  /** Told after every answer and every piece of news; it must be quick. */
  readonly watch?: (progress: Attempt.Progress) => Effect.Effect<void>
  /** Read from the beginning, whatever the destinations remember, and give up a run that was not finished. */
  readonly fullRefresh?: boolean
  /** Told what a person must know and no outcome says. */
  readonly tell?: (message: string) => Effect.Effect<void>
  /** The caller's key: a run that committed under it is reported and not made again. */
  readonly once?: string | undefined
  /** Told how a run is left that is interrupted. */
  readonly stopped?: (stopped: Stopped) => Effect.Effect<void>
}

/**
 * Runs a pipeline: the unfinished run if there is one, and the next run otherwise. Destinations that missed a run get
 * it first.
 *
 * It fails with `PlanError`, `SourceError`, `SinkError`, `StageError`, `ContractError`, `AccountingError`, `CountError`
 * or `JournalError`. A run that a check holds, and one that some sinks missed, do not fail: the status of the report is
 * "held" or "behind".
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { Journals, Pipeline, rows, Run, Stages } from "millrace"
 * import { memory } from "millrace/connectors/memory"
 *
 * const source = rows([{ id: 1 }], { table: "numbers" })
 * const pipeline = Pipeline.make({ name: "n", source, sinks: { out: memory.with({ name: "n" }) } })
 * const report = await Effect.runPromise(
 *   Effect.provide(Run.run(pipeline), Layer.mergeAll(Journals.layerTemporary, Stages.layer))
 * )
 * console.log(report.status, report.rows) // "done" { numbers: 1, numbers__rejects: 0 }
 * ```
 */
export const run = Effect.fn("Run.run")(function* <R>(pipeline: Pipeline.Pipeline<R>, options: Options = {}) {
  const began = yield* Clock.currentTimeMillis
  const { once } = options
  const pipelineJournal = yield* (yield* Journal.Journals).take(
    pipeline.name,
    pipeline.directory,
    pipeline.journal.shared
  )
  yield* Effect.forEach(
    pipelineJournal.setAside,
    (run) => options.tell?.(setAsideText(pipeline.name, run)) ?? Effect.void
  )
  yield* removeStages(pipelineJournal)
  const how = Attempt.optionsOf(options)
  const { caughtUp, left: missed } = yield* catchUp(pipeline, pipelineJournal, how)
  const records = once === undefined ? {} : yield* onceRun.recordsOf(pipeline, once)
  const answer =
    once === undefined ? undefined : yield* answered(pipeline, pipelineJournal, { once, records, failures: missed })
  if (answer !== undefined) return yield* Report.make(pipeline, pipelineJournal, { ...answer, began, caughtUp })

  let left = missed
  const before: Array<string> = []
  // Destinations that have a run of the key get no second one, whoever made the first.
  const have = new Set(Object.keys(records))
  const served = new Set([...Object.keys(left), ...have])
  const names = Object.keys(pipeline.sinks)
  const isAll = () => names.every((name) => served.has(name))
  const unfinished = yield* unfinishedRun(pipeline, pipelineJournal, how.fullRefresh)
  if (unfinished !== undefined) {
    const journal = yield* pipelineJournal.open(unfinished)
    const attempt = Attempt.run(pipeline, pipelineJournal, journal, { ...how, without: left })
    const outcome = yield* Effect.result(Effect.onInterrupt(attempt, () => stopRun(pipeline, journal, options.stopped)))
    if (outcome._tag === "Success") {
      const { failures, served: by, status } = outcome.success
      const isOurs = once === undefined || journal.state.once === once
      if (isOurs) for (const name of [...by, ...Object.keys(failures)]) served.add(name)
      if (isOurs) for (const name of by) have.add(name)
      if (isOurs && (once === undefined || status !== "done" || isAll())) {
        const run = Report.runOf(journal)
        return yield* Report.make(pipeline, pipelineJournal, {
          outcome: outcome.success,
          run,
          began,
          resumed: true,
          caughtUp
        })
      }
      // It was another key's, or some sinks have no run of this key yet.
      before.push(journal.state.run_id)
      if (!isOurs) {
        left = failures
        for (const name of Object.keys(left)) served.add(name)
      }
    } else {
      yield* settle(journal, outcome.failure)
      // Its job is gone: what is left to do is to begin again.
      if (!isLost(outcome.failure)) return yield* Effect.fail(outcome.failure)
    }
  }
  // Destinations that stand at different places each have a run of their own, the one furthest back first.
  const live = { ...how, without: left }
  for (;;) {
    const sinks = have.size === 0 ? undefined : names.filter((name) => !have.has(name))
    const journal = yield* beginRun(pipeline, pipelineJournal, { once, sinks })
    const how = { ...live, except: [...served].filter((name) => left[name] === undefined) }
    const outcome = yield* Attempt.run(pipeline, pipelineJournal, journal, how).pipe(
      Effect.tapError((error) => settle(journal, error)),
      Effect.onInterrupt(() => stopRun(pipeline, journal, options.stopped))
    )
    const report = yield* Report.make(pipeline, pipelineJournal, {
      outcome,
      run: Report.runOf(journal),
      began,
      caughtUp,
      before
    })
    for (const name of [...outcome.served, ...Object.keys(outcome.failures)]) served.add(name)
    if (isAll() || outcome.status === "held") return report
    before.push(report.runId)
  }
}, Effect.scoped)

const setAsideText = (pipeline: string, { folder, reason, runId }: Journal.SetAside): string =>
  `${pipeline}: run ${runId} cannot be resumed, because its journal is damaged: ${reason}; the journal, with the answers of the source, is now in ${folder}`

/** What to answer to a key without a run, if that is so: every sink has it, it is held, or a sink still lacks it. */
const answered = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  pipelineJournal: Journal.Journal,
  { failures, once, records }: Pick<Attempt.Outcome, "failures"> & { once: string; records: onceRun.Records }
) {
  const names = Object.keys(pipeline.sinks)
  const last = Object.values(records).at(-1)
  if (last !== undefined && names.every((name) => records[name] !== undefined)) {
    yield* onceRun.settle(pipelineJournal, once, records)
    const { facts, rows, runId } = last
    const outcome = yield* AttemptOutcome.ofFacts({ status: "done", served: names, facts, rows })
    return { outcome, run: { runId, startedAt: Number(last.startedAt / 1000n), once }, alreadyDone: records }
  }
  const entries = yield* pipelineJournal.runs
  const state = onceRun.heldOf(entries, once) ?? onceRun.behindOf(entries, once)
  if (state === undefined) return undefined
  const status = state.status === "held" ? "held" : "behind"
  const known = { served: Object.keys(records), facts: state.facts, rows: state.rows }
  const outcome = yield* AttemptOutcome.ofFacts({ ...known, status, failures: status === "held" ? {} : failures })
  return { outcome, run: Report.runOf({ state }) }
})

/** Brings destinations that missed a run to where the others are. One that fails again stays behind, and waits. */
const catchUp = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  pipelineJournal: Journal.Journal,
  options: Attempt.Options
) {
  const caughtUp: Array<string> = []
  let left: Attempt.Options["without"] = {}
  for (const { state } of yield* pipelineJournal.runs) {
    if (state.status !== "behind") continue
    const how = { ...options, mode: "journal", holds: false, without: left, watch: () => Effect.void } as const
    const outcome = yield* Effect.scoped(
      Effect.flatMap(pipelineJournal.open(state.run_id), (journal) =>
        Attempt.run(pipeline, pipelineJournal, journal, how)
      )
    ).pipe(Effect.catchTag("SinkError", (error) => Effect.succeed({ status: "behind" as const, error })))
    if (outcome.status === "done") caughtUp.push(state.run_id)
    const missing = Object.keys(pipeline.sinks).filter(
      (name) => !state.committed.includes(name) && state.sinks?.includes(name) !== false
    )
    const failures =
      "error" in outcome ? Object.fromEntries(missing.map((name) => [name, outcome.error])) : outcome.failures
    left = { ...left, ...failures }
  }
  return { caughtUp, left }
})

/** The run to continue, if there is one; older ones are given up. */
const unfinishedRun = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  pipelineJournal: Journal.Journal,
  fullRefresh: boolean
) {
  const open = (yield* pipelineJournal.runs).filter(
    ({ state }) => state.status === "reading" || state.status === "read"
  )
  const last = open.at(-1)?.state
  const isSame = last?.source === pipeline.source.type && last.options === pipeline.source.options
  const goesOn = isSame && !fullRefresh ? last.run_id : undefined
  for (const { state } of open) {
    if (state.run_id === goesOn) continue
    const message = fullRefresh ? "given up for a full refresh" : "given up: the options of the source have changed"
    yield* Effect.scoped(Effect.flatMap(pipelineJournal.open(state.run_id), (journal) => end(journal, message)))
  }
  return goesOn
})

type AttemptError = Effect.Error<ReturnType<typeof Attempt.run>>

/** Whether no later attempt at the same run can do better. */
const isLost = (error: AttemptError): boolean => error._tag === "SourceError" && error.over === true

/** Records why an attempt failed. A run that can be continued stays open. */
const settle = (journal: Journal.RunJournal, error: AttemptError) =>
  isLost(error) || error._tag === "AccountingError" || error._tag === "PlanError"
    ? end(journal, error.message)
    : journal.save({ message: error.message })

const end = Effect.fnUntraced(function* (journal: Journal.RunJournal, message: string) {
  yield* journal.save({ status: "failed", message, ended_at: yield* Clock.currentTimeMillis })
  yield* (yield* Stage.Stages).remove(journal.folder)
})
