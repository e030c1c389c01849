/**
 * Runs in the journal: a held run can be committed or dropped, and a run that was read to its end can be replayed.
 *
 * Guarantee: no request is sent, and the checkpoint of the next run never moves back.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Journal from "../Journal.ts"
import type * as Pipeline from "../Pipeline.ts"
import { PlanError } from "../planOf.ts"
import * as Stage from "../Stage.ts"
import * as Attempt from "./Attempt.ts"
import * as Report from "./Report.ts"
import { type Stopped, stopRun } from "./stopRun.ts"

interface Watching {
  /** As in `Run.Options`. */
  readonly watch?: (progress: Attempt.Progress) => Effect.Effect<void>
  readonly stopped?: (stopped: Stopped) => Effect.Effect<void>
}

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
  const found = (yield* pipelineJournal.runs).filter(({ state }) => state.run_id.startsWith(id))
  const [run] = found
  if (run === undefined)
    return yield* new PlanError({ message: `the journal has no run ${id}; see millrace journal list` })
  if (found.length > 1)
    return yield* new PlanError({ message: `${found.length} runs begin with ${id}: give more characters of the id` })
  return run.state
})

const notHeld = ({ run_id: id, status }: Journal.RunState) =>
  new PlanError({ message: `run ${id} is ${status}, not held, so there is nothing to decide` })
