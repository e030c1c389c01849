/**
 * Running a pipeline: the next run, or the unfinished one.
 *
 * Guarantee: an unfinished run is finished before another begins, and answers in its journal are not requested again; sinks
 * that missed a run get it from the journal first; one process at a time runs a pipeline; under a caller's key, a run is
 * made once, however often the key is used.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { beginRun } from "./beginRun.ts"
import * as Journal from "./Journal.ts"
import * as onceRun from "./onceRun.ts"
import type * as Pipeline from "./Pipeline.ts"
import { PlanError } from "./planOf.ts"
import * as Attempt from "./run/Attempt.ts"
import * as AttemptOutcome from "./run/AttemptOutcome.ts"
import * as Report from "./run/Report.ts"
import { type Stopped, stopRun } from "./run/stopRun.ts"
import * as Stage from "./Stage.ts"

export { PlanError } from "./planOf.ts"
export type { Accounting } from "./run/Accounting.ts"
export { AccountingError, CountError } from "./run/Accounting.ts"
export type { Progress } from "./run/Attempt.ts"
export type { Report } from "./run/Report.ts"
export { ContractError } from "./run/RowValidator.ts"
export type { Stopped } from "./run/stopRun.ts"

/**
 * The options of a run: whether it reads from the beginning, the caller's key, and callbacks.
 */
export interface Options {
  /** Called with the progress after every answer and at every phase. It must be quick. */
  readonly watch?: (progress: Attempt.Progress) => Effect.Effect<void>
  /** Whether to read from the beginning, whatever checkpoints the destinations have, and to give up an unfinished run. */
  readonly fullRefresh?: boolean
  /** Called with messages for a person that are not in the report, such as that a damaged journal was set aside. */
  readonly tell?: (message: string) => Effect.Effect<void>
  /** The caller's key: if a run has committed under it, that run is reported, and no new run is made. */
  readonly once?: string | undefined
  /** Called when the run is interrupted, with the state in which it is left. */
  readonly stopped?: (stopped: Stopped) => Effect.Effect<void>
}

/**
 * Runs a pipeline: the unfinished run if there is one, and the next run otherwise. Destinations that missed a run get
 * it first.
 *
 * It fails with `PlanError`, `SourceError`, `SinkError`, `StageError`, `ContractError`, `AccountingError`, `CountError`
 * or `JournalError`. It does not fail if a check holds the run, or if only some sinks fail: the status of the report is
 * then "held" or "behind".
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
  const { caughtUp, sinksBehind } = yield* catchUp(pipeline, pipelineJournal, how)
  const records = once === undefined ? {} : yield* onceRun.recordsOf(pipeline, once)
  const answer =
    once === undefined
      ? undefined
      : yield* answered(pipeline, pipelineJournal, { once, records, failures: sinksBehind })
  if (answer !== undefined) return yield* Report.compose(pipeline, pipelineJournal, { ...answer, began, caughtUp })

  const have = Object.keys(records)
  const course: Course<R> = {
    pipeline,
    pipelineJournal,
    options,
    how,
    began,
    caughtUp,
    sinksBehind,
    served: new Set([...Object.keys(sinksBehind), ...have]),
    have: new Set(have),
    before: []
  }
  const unfinished = yield* unfinishedRun(pipeline, pipelineJournal, how.fullRefresh)
  const report = unfinished === undefined ? undefined : yield* finish(course, unfinished)
  return report ?? (yield* makeRuns(course))
}, Effect.scoped)

/**
 * Commits a held run although its checks do not pass. It fails with `PlanError` if the run is not held or a later run has
 * committed, and as `run` does.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { Journals, Pipeline, Run, Stages, rows } from "millrace"
 * import { memory } from "millrace/connectors/memory"
 *
 * const source = rows([{ id: 1 }], { table: "numbers" })
 * const pipeline = Pipeline.make({ name: "held", source, sinks: { out: memory.with({ name: "held" }) } })
 * const twice = Effect.flatMap(Run.run(pipeline), ({ runId }) => Effect.flip(Run.commit(pipeline, runId)))
 * const parts = Layer.mergeAll(Journals.layerTemporary, Stages.layer)
 * console.log((await Effect.runPromise(Effect.provide(twice, parts)))._tag) // "PlanError"
 * ```
 */
export const commit = Effect.fn("PastRun.commit")(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  id: string,
  options: Watching = {}
) {
  return yield* load(pipeline, id, mayCommit, { ...Attempt.optionsOf(options), mode: "staged", holds: false }, options)
}, Effect.scoped)

/**
 * Makes the tables of a run again from its journal, with the pipeline as it is now, and without requests. It fails with
 * `PlanError` if the run cannot be replayed, and as `run` does.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { Journals, Pipeline, Run, Stages, rows } from "millrace"
 * import { memory } from "millrace/connectors/memory"
 *
 * const source = rows([{ id: 1 }], { table: "numbers" })
 * const pipeline = Pipeline.make({ name: "again", source, sinks: { out: memory.with({ name: "again" }) } })
 * const twice = Effect.flatMap(Run.run(pipeline), ({ runId }) => Run.replay(pipeline, runId))
 * const parts = Layer.mergeAll(Journals.layerTemporary, Stages.layer)
 * console.log((await Effect.runPromise(Effect.provide(twice, parts))).status) // "done"
 * ```
 */
export const replay = Effect.fn("PastRun.replay")(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  id: string,
  options: Watching = {}
) {
  const how = { ...Attempt.optionsOf(options), mode: "journal", holds: false, again: true } as const
  return yield* load(pipeline, id, mayReplay, how, options)
}, Effect.scoped)

/**
 * Drops a held run. Its journal is kept as long as other journals. It fails with `PlanError` if the run is not held, and
 * with `JournalError`.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { Journals, Pipeline, Run, Stages, rows } from "millrace"
 * import { memory } from "millrace/connectors/memory"
 *
 * const source = rows([{ id: 1 }], { table: "numbers" })
 * const pipeline = Pipeline.make({ name: "given_up", source, sinks: { out: memory.with({ name: "given_up" }) } })
 * const refused = Effect.flatMap(Run.run(pipeline), ({ runId }) => Effect.flip(Run.drop(pipeline, runId)))
 * const parts = Layer.mergeAll(Journals.layerTemporary, Stages.layer)
 * console.log((await Effect.runPromise(Effect.provide(refused, parts)))._tag) // "PlanError"
 * ```
 */
export const drop = Effect.fn("PastRun.drop")(function* <R>(pipeline: Pipeline.Pipeline<R>, id: string) {
  const pipelineJournal = yield* (yield* Journal.Journals).take(
    pipeline.name,
    pipeline.directory,
    pipeline.journal.shared
  )
  const entry = yield* find(pipelineJournal, id)
  if (entry.status !== "held") return yield* notHeld(entry)
  const journal = yield* pipelineJournal.open(entry.run_id)
  yield* journal.save({ status: "dropped", ended_at: yield* Clock.currentTimeMillis })
  yield* (yield* Stage.Stages).remove(journal.folder)
  return journal.state
}, Effect.scoped)

/** What one call of `run` has done and what it has still to do. */
interface Course<R> {
  readonly pipeline: Pipeline.Pipeline<R>
  readonly pipelineJournal: Journal.Journal
  readonly options: Options
  readonly how: Attempt.Options
  readonly began: number
  readonly caughtUp: ReadonlyArray<string>
  /** The sinks that are behind, with their errors. */
  sinksBehind: Attempt.Options["without"]
  /** The sinks that need no run of this call any more. */
  readonly served: Set<string>
  /** The sinks that have a run of the key: they get no second one, even if another machine made the first. */
  readonly have: Set<string>
  /** The runs that this call has made and does not report. */
  readonly before: Array<Report.Report["before"][number]>
}

const isAll = <R>({ pipeline, served }: Course<R>): boolean =>
  Object.keys(pipeline.sinks).every((name) => served.has(name))

/** Finishes a run that was begun before. Returns its report; undefined: another run is needed. */
const finish = Effect.fnUntraced(function* <R>(course: Course<R>, runId: string) {
  const { before, began, caughtUp, have, how, sinksBehind, options, pipeline, pipelineJournal, served } = course
  const journal = yield* pipelineJournal.open(runId)
  if (Journal.isBroken(journal.state)) yield* journal.save({ message: null, ended_at: null })
  const attempt = Attempt.run(pipeline, pipelineJournal, journal, { ...how, without: sinksBehind })
  const outcome = yield* Effect.result(Effect.onInterrupt(attempt, () => stopRun(pipeline, journal, options.stopped)))
  if (outcome._tag === "Failure") {
    yield* settle(journal, outcome.failure)
    // Its job is gone, so a new run begins.
    return isLost(outcome.failure) ? undefined : yield* Effect.fail(outcome.failure)
  }
  const { failures, served: by, status } = outcome.success
  const isOurs = options.once === undefined || journal.state.once === options.once
  if (isOurs) {
    for (const name of [...by, ...Object.keys(failures)]) served.add(name)
    for (const name of by) have.add(name)
    if (options.once === undefined || status !== "done" || isAll(course)) {
      const run = Report.runOf(journal)
      const made = { outcome: outcome.success, run, began, resumed: true, caughtUp }
      return yield* Report.compose(pipeline, pipelineJournal, made)
    }
  } else {
    course.sinksBehind = failures
    for (const name of Object.keys(failures)) served.add(name)
  }
  // The run had another key, or some sinks have no run of this key yet.
  before.push({ runId: journal.state.run_id, rows: outcome.success.rows })
  return undefined
})

/** Makes new runs: sinks with different checkpoints get a run each, the one with the oldest checkpoint first. */
const makeRuns = Effect.fnUntraced(function* <R>(course: Course<R>) {
  const { before, began, caughtUp, have, sinksBehind, options, pipeline, pipelineJournal, served } = course
  for (;;) {
    const sinks = have.size === 0 ? undefined : Object.keys(pipeline.sinks).filter((name) => !have.has(name))
    const journal = yield* beginRun(pipeline, pipelineJournal, { once: options.once, sinks })
    const how = {
      ...course.how,
      without: sinksBehind,
      except: [...served].filter((name) => sinksBehind[name] === undefined)
    }
    const outcome = yield* Attempt.run(pipeline, pipelineJournal, journal, how).pipe(
      Effect.tapError((error) => settle(journal, error)),
      Effect.onInterrupt(() => stopRun(pipeline, journal, options.stopped))
    )
    const run = Report.runOf(journal)
    const report = yield* Report.compose(pipeline, pipelineJournal, { outcome, run, began, caughtUp, before })
    for (const name of [...outcome.served, ...Object.keys(outcome.failures)]) served.add(name)
    if (isAll(course) || outcome.status === "held") return report
    before.push({ runId: report.runId, rows: report.rows })
  }
})

const setAsideText = (pipeline: string, { folder, reason, runId }: Journal.SetAside): string =>
  `${pipeline}: run ${runId} cannot be resumed, because its journal is damaged: ${reason}; the journal, with the answers of the source, is now in ${folder}`

/** The outcome for a key that needs no run: every sink has its run, or its run is held or behind. Undefined: it needs one. */
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

/** Commits runs from the journal to sinks that missed them. A sink that fails again stays behind. */
const catchUp = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  pipelineJournal: Journal.Journal,
  options: Attempt.Options
) {
  const caughtUp: Array<string> = []
  let sinksBehind: Attempt.Options["without"] = {}
  for (const { state } of yield* pipelineJournal.runs) {
    if (state.status !== "behind") continue
    const how = { ...options, mode: "journal", holds: false, without: sinksBehind, watch: () => Effect.void } as const
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
    sinksBehind = { ...sinksBehind, ...failures }
  }
  return { caughtUp, sinksBehind }
})

/** The id of the run to continue, if there is one. Other unfinished runs are given up. */
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
  const continued = isSame && !fullRefresh ? last.run_id : undefined
  for (const { state } of open) {
    if (state.run_id === continued) continue
    const message = fullRefresh ? "given up for a full refresh" : "given up: the options of the source have changed"
    yield* Effect.scoped(Effect.flatMap(pipelineJournal.open(state.run_id), (journal) => end(journal, message)))
  }
  return continued
})

type AttemptError = Effect.Error<ReturnType<typeof Attempt.run>>

/** Whether no later attempt at the same run can succeed. */
const isLost = (error: AttemptError): boolean => error._tag === "SourceError" && error.over === true

/** Records why and when an attempt failed. A run that can be continued stays open. */
const settle = Effect.fnUntraced(function* (journal: Journal.RunJournal, error: AttemptError) {
  if (isLost(error) || error._tag === "AccountingError" || error._tag === "PlanError") {
    return yield* end(journal, error.message)
  }
  yield* journal.save({ message: error.message, ended_at: yield* Clock.currentTimeMillis })
})

const end = Effect.fnUntraced(function* (journal: Journal.RunJournal, message: string) {
  yield* journal.save({ status: "failed", message, ended_at: yield* Clock.currentTimeMillis })
  yield* (yield* Stage.Stages).remove(journal.folder)
})

/** Removes stages that are not used again: those of runs that are over, or that will be read again from the journal. */

/** Every run does this when it begins. So of the runs that are over, only those that ended last can have left a stage. */
const removeStages = Effect.fnUntraced(function* (pipelineJournal: Journal.Journal) {
  const stages = yield* Stage.Stages
  yield* stages.remove(pipelineJournal.folder)
  const isOver = ({ state }: Journal.Entry) => Journal.isOver(state.status)
  const entries = yield* pipelineJournal.runs
  const ended = entries.filter(isOver).toSorted((a, b) => (b.state.ended_at ?? 0) - (a.state.ended_at ?? 0))
  const open = entries.filter((entry) => !isOver(entry) && entry.state.status !== "held")
  for (const { folder } of [...open, ...ended.slice(0, mostStages)]) yield* stages.remove(folder)
})

/** How many of the runs that ended last are checked. */
const mostStages = 20

/**
 * How `commit`, `replay` and `drop` handle a run of the journal: a held run can be committed or dropped, and a run that was
 * read to its end can be replayed.
 *
 * Guarantee: no request is sent, and the checkpoint of the next run never moves back.
 */
interface Watching {
  /** As in `Run.Options`. */
  readonly watch?: (progress: Attempt.Progress) => Effect.Effect<void>
  readonly stopped?: (stopped: Stopped) => Effect.Effect<void>
}

const load = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  id: string,
  may: (
    pipelineJournal: Journal.Journal,
    entry: Journal.RunState
  ) => Effect.Effect<void, PlanError | Journal.JournalError>,
  how: Attempt.Options,
  { stopped }: Watching
) {
  const began = yield* Clock.currentTimeMillis
  const pipelineJournal = yield* (yield* Journal.Journals).take(
    pipeline.name,
    pipeline.directory,
    pipeline.journal.shared
  )
  const entry = yield* find(pipelineJournal, id)
  yield* may(pipelineJournal, entry)
  const journal = yield* pipelineJournal.open(entry.run_id)
  const attempt = Attempt.run(pipeline, pipelineJournal, journal, how)
  const outcome = yield* Effect.onInterrupt(attempt, () => stopRun(pipeline, journal, stopped))
  return yield* Report.compose(pipeline, pipelineJournal, {
    outcome,
    run: Report.runOf(journal),
    began,
    resumed: true,
    caughtUp: []
  })
})

const mayCommit = Effect.fnUntraced(function* (pipelineJournal: Journal.Journal, entry: Journal.RunState) {
  if (entry.status !== "held") return yield* notHeld(entry)
  const later = (yield* pipelineJournal.runs).find(
    ({ state }) => state.run_id > entry.run_id && (state.status === "done" || state.status === "behind")
  )
  if (later === undefined) return
  const message = `run ${later.state.run_id} has committed since; drop ${entry.run_id}, or replay it`
  return yield* new PlanError({ message })
})

const mayReplay = Effect.fnUntraced(function* (_home: Journal.Journal, entry: Journal.RunState) {
  if (entry.checkpoint !== null) return
  const message = `run ${entry.run_id} has not read its source to the end, so its tables would lack rows; run the pipeline to continue it`
  return yield* new PlanError({ message })
})

/** The run whose id begins with this text. */
const find = Effect.fnUntraced(function* (pipelineJournal: Journal.Journal, id: string) {
  const matches = (yield* pipelineJournal.runs).filter(({ state }) => state.run_id.startsWith(id))
  const [run] = matches
  if (run === undefined)
    return yield* new PlanError({ message: `the journal has no run ${id}; see millrace journal list` })
  if (matches.length > 1)
    return yield* new PlanError({ message: `${matches.length} runs begin with ${id}: give more characters of the id` })
  return run.state
})

const notHeld = ({ run_id: id, status }: Journal.RunState) =>
  new PlanError({ message: `run ${id} is ${status}, not held, so there is nothing to decide` })
