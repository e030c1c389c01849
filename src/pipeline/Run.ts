/**
 * Running a pipeline: the next run, or the one that was not finished.
 *
 * The laws: a run that was killed, or could not go on, is finished before another begins, and what its source said is not
 * asked again; destinations that missed a run get it from the journal first; one process at a time runs a pipeline.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type * as Attempt from "./Attempt.ts"
import { attempt as attemptOpen } from "./Attempt.ts"
import * as Journal from "./Journal.ts"
import type * as Pipeline from "./Pipeline.ts"
import { PlanError } from "./planOf.ts"
import { runId } from "./runId.ts"
import * as Stage from "./Stage.ts"

export type { Accounting } from "./Accounting.ts"
export { AccountingError } from "./Accounting.ts"
export type { Progress } from "./Attempt.ts"
export { ContractError } from "./Intake.ts"
export { PlanError } from "./planOf.ts"

export interface Options {
  /** Told after every answer and every piece of news; it must be quick. */
  readonly watch?: (progress: Attempt.Progress) => Effect.Effect<void>
  /** Read from the beginning, whatever the destinations remember, and give up a run that was not finished. */
  readonly fullRefresh?: boolean
}

export interface Report extends Attempt.Outcome {
  readonly pipeline: string
  readonly runId: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly durationMillis: number
  /** Whether it went on with a run that an earlier attempt had begun. */
  readonly resumed: boolean
  /** The runs before it that destinations got from the journal. */
  readonly caughtUp: ReadonlyArray<string>
}

export const run = Effect.fn("Run.run")(function* <R>(pipeline: Pipeline.Pipeline<R>, options: Options = {}) {
  const began = yield* Clock.currentTimeMillis
  const home = yield* (yield* Journal.Journals).take(pipeline.name, pipeline.directory)
  const how = optionsOf(options)
  const { caughtUp, left } = yield* catchUp(pipeline, home, how)
  const live = { ...how, without: left }
  const unfinished = yield* unfinishedRun(pipeline, home, how.fullRefresh)
  if (unfinished !== undefined) {
    const journal = yield* home.open(unfinished)
    const outcome = yield* Effect.result(attempt(pipeline, home, journal, live))
    if (outcome._tag === "Success") {
      return yield* report(pipeline, home, journal, outcome.success, { began, resumed: true, caughtUp })
    }
    yield* settle(journal, outcome.failure)
    // Its job is gone: what is left to do is to begin again.
    if (!isLost(outcome.failure)) return yield* Effect.fail(outcome.failure)
  }
  const journal = yield* begin(pipeline, home)
  const outcome = yield* Effect.tapError(attempt(pipeline, home, journal, live), (error) => settle(journal, error))
  return yield* report(pipeline, home, journal, outcome, { began, resumed: false, caughtUp })
}, Effect.scoped)

/** Loads a held run as it is staged, though its checks do not pass. */
export const commit = Effect.fn("Run.commit")(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  id: string,
  options: Options = {}
) {
  const began = yield* Clock.currentTimeMillis
  const home = yield* (yield* Journal.Journals).take(pipeline.name, pipeline.directory)
  const entry = yield* find(home, id)
  if (entry.status !== "held") return yield* notHeld(entry)
  const later = (yield* home.runs).find(
    ({ state }) => state.run_id > entry.run_id && (state.status === "done" || state.status === "behind")
  )
  if (later !== undefined) {
    const message = `run ${later.state.run_id} has committed since; drop ${entry.run_id}, or replay it`
    return yield* new PlanError({ message })
  }
  const journal = yield* home.open(entry.run_id)
  const how = { ...optionsOf(options), mode: "staged", holds: false } as const
  const outcome = yield* attempt(pipeline, home, journal, how)
  return yield* report(pipeline, home, journal, outcome, { began, resumed: true, caughtUp: [] })
}, Effect.scoped)

/** Gives a held run up. Its journal stays for as long as any. */
export const drop = Effect.fn("Run.drop")(function* <R>(pipeline: Pipeline.Pipeline<R>, id: string) {
  const home = yield* (yield* Journal.Journals).take(pipeline.name, pipeline.directory)
  const entry = yield* find(home, id)
  if (entry.status !== "held") return yield* notHeld(entry)
  const journal = yield* home.open(entry.run_id)
  yield* journal.save({ status: "dropped", ended_at: yield* Clock.currentTimeMillis })
  yield* (yield* Stage.Stages).remove(journal.folder)
  return journal.state
}, Effect.scoped)

/** Makes the tables of a run again from its journal, by the pipeline as it is now. Nothing is asked. */
export const replay = Effect.fn("Run.replay")(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  id: string,
  options: Options = {}
) {
  const began = yield* Clock.currentTimeMillis
  const home = yield* (yield* Journal.Journals).take(pipeline.name, pipeline.directory)
  const entry = yield* find(home, id)
  if (entry.checkpoint === null) {
    const message = `run ${entry.run_id} has not read its source to the end, so its tables would lack rows; run the pipeline to go on with it`
    return yield* new PlanError({ message })
  }
  const journal = yield* home.open(entry.run_id)
  const how = { ...optionsOf(options), mode: "journal", holds: false, again: true } as const
  const outcome = yield* attempt(pipeline, home, journal, how)
  return yield* report(pipeline, home, journal, outcome, { began, resumed: true, caughtUp: [] })
}, Effect.scoped)

/** An attempt with all that it opens closed again. Its stage stays only while a check holds it. */
const attempt = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  home: Journal.Journal,
  journal: Journal.RunJournal,
  options: Attempt.Options
) {
  const outcome = yield* Effect.scoped(attemptOpen(pipeline, home, journal, options))
  if (outcome.status !== "held") yield* (yield* Stage.Stages).remove(journal.folder)
  return outcome
})

const optionsOf = ({ fullRefresh = false, watch }: Options): Attempt.Options => ({
  mode: "live",
  holds: true,
  again: false,
  fullRefresh,
  without: {},
  watch: watch ?? (() => Effect.void)
})

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
      Effect.flatMap(home.open(state.run_id), (journal) => attempt(pipeline, home, journal, how))
    ).pipe(Effect.catchTag("SinkError", (error) => Effect.succeed({ status: "behind" as const, error })))
    if (outcome.status === "done") caughtUp.push(state.run_id)
    const missing = Object.keys(pipeline.sinks).filter((name) => !state.committed.includes(name))
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

const begin = Effect.fnUntraced(function* <R>(pipeline: Pipeline.Pipeline<R>, home: Journal.Journal) {
  const last = (yield* home.runs).at(-1)?.state.started_at ?? 0
  // Runs are in the order of their ids, whatever the clock of the machine does.
  const startedAt = Math.max(yield* Clock.currentTimeMillis, last + 1)
  return yield* home.begin({
    run_id: runId(startedAt, yield* Random.next),
    pipeline: pipeline.name,
    source: pipeline.source.type,
    options: pipeline.source.options,
    key: crypto.randomUUID(),
    started_at: startedAt,
    ended_at: null,
    status: "reading",
    start: null,
    checkpoint: null,
    facts: {},
    rows: {},
    message: null,
    committed: []
  })
})

type AttemptError = Effect.Error<ReturnType<typeof attempt>>

/** Whether no later attempt at the same run can do better. */
const isLost = (error: AttemptError): boolean => error._tag === "SourceError" && error.over === true

/** Writes down how an attempt failed. A run that can be gone on with stays open. */
const settle = (journal: Journal.RunJournal, error: AttemptError) =>
  isLost(error) || error._tag === "AccountingError" || error._tag === "PlanError"
    ? end(journal, error.message)
    : journal.save({ message: error.message })

const end = (journal: Journal.RunJournal, message: string) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => journal.save({ status: "failed", message, ended_at: now }))

const report = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  home: Journal.Journal,
  journal: Journal.RunJournal,
  outcome: Attempt.Outcome,
  of: { readonly began: number; readonly resumed: boolean; readonly caughtUp: ReadonlyArray<string> }
) {
  const now = yield* Clock.currentTimeMillis
  const { bytes, keepMillis } = pipeline.journal
  yield* home.prune({ before: now - keepMillis, bytes })
  const made: Report = {
    ...outcome,
    pipeline: pipeline.name,
    runId: journal.state.run_id,
    startedAt: journal.state.started_at,
    durationMillis: now - of.began,
    resumed: of.resumed,
    caughtUp: of.caughtUp
  }
  return made
})

/** The run that an id begins. */
const find = Effect.fnUntraced(function* (home: Journal.Journal, id: string) {
  const found = (yield* home.runs).filter(({ state }) => state.run_id.startsWith(id))
  const [run] = found
  if (run === undefined) return yield* new PlanError({ message: `the journal has no run ${id}: see millrace journal` })
  if (found.length > 1)
    return yield* new PlanError({ message: `${found.length} runs begin with ${id}: write more of the id` })
  return run.state
})

const notHeld = ({ run_id: id, status }: Journal.RunState) =>
  new PlanError({ message: `run ${id} is ${status}, not held: there is nothing to decide` })
