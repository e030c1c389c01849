/**
 * Running a pipeline: the next run, or the one that was not finished.
 *
 * The laws: a run that was killed, or could not go on, is finished before another begins, and what its source said is not
 * asked again; destinations that missed a run get it from the journal first; one process at a time runs a pipeline.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Journal from "../Journal.ts"
import type * as Pipeline from "../Pipeline.ts"
import * as Stage from "../Stage.ts"
import * as Attempt from "./Attempt.ts"
import { beginRun } from "./beginRun.ts"
import { closedAttempt } from "./closedAttempt.ts"
import * as Report from "./Report.ts"
import { type Stopped, stopRun } from "./stopRun.ts"

export type { Accounting } from "./Accounting.ts"
export { AccountingError } from "./Accounting.ts"
export type { Progress } from "./Attempt.ts"
export { ContractError } from "./Intake.ts"
export { commit, drop, replay } from "./PastRun.ts"
export { PlanError } from "./planOf.ts"
export type { Report } from "./Report.ts"
export type { Stopped } from "./stopRun.ts"

export interface Options {
  /** Told after every answer and every piece of news; it must be quick. */
  readonly watch?: (progress: Attempt.Progress) => Effect.Effect<void>
  /** Read from the beginning, whatever the destinations remember, and give up a run that was not finished. */
  readonly fullRefresh?: boolean
  /** Told how a run is left that is interrupted. */
  readonly stopped?: (stopped: Stopped) => Effect.Effect<void>
}

export const run = Effect.fn("Run.run")(function* <R>(pipeline: Pipeline.Pipeline<R>, options: Options = {}) {
  const began = yield* Clock.currentTimeMillis
  const home = yield* (yield* Journal.Journals).take(pipeline.name, pipeline.directory)
  const how = Attempt.optionsOf(options)
  const { caughtUp, left } = yield* catchUp(pipeline, home, how)
  const live = { ...how, without: left }
  const unfinished = yield* unfinishedRun(pipeline, home, how.fullRefresh)
  if (unfinished !== undefined) {
    const journal = yield* home.open(unfinished)
    const attempt = closedAttempt(pipeline, home, journal, live)
    const outcome = yield* Effect.result(Effect.onInterrupt(attempt, () => stopRun(pipeline, journal, options.stopped)))
    if (outcome._tag === "Success") {
      return yield* Report.make(pipeline, home, journal, outcome.success, {
        began,
        resumed: true,
        caughtUp,
        before: []
      })
    }
    yield* settle(journal, outcome.failure)
    // Its job is gone: what is left to do is to begin again.
    if (!isLost(outcome.failure)) return yield* Effect.fail(outcome.failure)
  }
  // Destinations that stand at different places each have a run of their own, the one furthest back first.
  const served = new Set(Object.keys(left))
  for (const before: Array<string> = []; ; ) {
    const journal = yield* beginRun(pipeline, home)
    const how = { ...live, except: [...served].filter((name) => left[name] === undefined) }
    const outcome = yield* closedAttempt(pipeline, home, journal, how).pipe(
      Effect.tapError((error) => settle(journal, error)),
      Effect.onInterrupt(() => stopRun(pipeline, journal, options.stopped))
    )
    const report = yield* Report.make(pipeline, home, journal, outcome, { began, resumed: false, caughtUp, before })
    for (const name of [...outcome.served, ...Object.keys(outcome.failures)]) served.add(name)
    const isAll = Object.keys(pipeline.sinks).every((name) => served.has(name))
    if (isAll || outcome.status === "held") return report
    before.push(report.runId)
  }
}, Effect.scoped)

/** Brings destinations that missed a run to where the others are. One that fails again stays behind, and waits. */
const catchUp = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  home: Journal.Journal,
  options: Attempt.Options
) {
  const caughtUp: Array<string> = []
  let left: Attempt.Options["without"] = {}
  for (const { state } of yield* home.runs) {
    if (state.status !== "behind") continue
    const how = { ...options, mode: "journal", holds: false, without: left, watch: () => Effect.void } as const
    const outcome = yield* Effect.scoped(
      Effect.flatMap(home.open(state.run_id), (journal) => closedAttempt(pipeline, home, journal, how))
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

/** The run to go on with, if there is one; older ones are given up. */
const unfinishedRun = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  home: Journal.Journal,
  fullRefresh: boolean
) {
  const open = (yield* home.runs).filter(({ state }) => state.status === "reading" || state.status === "read")
  const last = open.at(-1)?.state
  const isSame = last?.source === pipeline.source.type && last.options === pipeline.source.options
  const goesOn = isSame && !fullRefresh ? last.run_id : undefined
  for (const { state } of open) {
    if (state.run_id === goesOn) continue
    const message = fullRefresh ? "given up for a full refresh" : "given up: the options of the source have changed"
    yield* Effect.scoped(Effect.flatMap(home.open(state.run_id), (journal) => end(journal, message)))
  }
  return goesOn
})

type AttemptError = Effect.Error<ReturnType<typeof closedAttempt>>

/** Whether no later attempt at the same run can do better. */
const isLost = (error: AttemptError): boolean => error._tag === "SourceError" && error.over === true

/** Writes down how an attempt failed. A run that can be gone on with stays open. */
const settle = (journal: Journal.RunJournal, error: AttemptError) =>
  isLost(error) || error._tag === "AccountingError" || error._tag === "PlanError"
    ? end(journal, error.message)
    : journal.save({ message: error.message })

const end = Effect.fnUntraced(function* (journal: Journal.RunJournal, message: string) {
  yield* journal.save({ status: "failed", message, ended_at: yield* Clock.currentTimeMillis })
  yield* (yield* Stage.Stages).remove(journal.folder)
})
