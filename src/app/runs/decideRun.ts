/**
 * The work behind `millrace commit`, `millrace drop` and `millrace replay`, for a run that is in the journal.
 */
import * as Effect from "effect/Effect"
import * as Journal from "#engine/Journal"
import * as Run from "#engine/Run"
import { engine } from "#library/services"
import { failed, wrong } from "#see/CliFailure"
import { type Options as Files, loadPipelines } from "#see/pipelineFiles"
import { failureOf, showReport, stoppedLine, verdict } from "#see/runReport"
import { progressView, unpaid } from "./progressView.ts"

interface Options extends Files {
  readonly run: string
  readonly json: boolean
}

export const commitRun = Effect.fn("commitRun")((options: Options) => load(options, "commit"))
export const replayRun = Effect.fn("replayRun")((options: Options) => load(options, "replay"))

export const dropRun = Effect.fn("dropRun")(function* (options: Options) {
  const { entry, file, pipeline } = yield* findRun(options.run, options)
  const state = yield* Run.drop(pipeline, entry.state.run_id).pipe(
    Effect.mapError((error) => failureOf(file, error, options.json))
  )
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ pipeline: state.pipeline, run_id: state.run_id, status: state.status })}\n`
      : `${state.pipeline}: run ${state.run_id} is dropped; ${(state.parts ?? 0) === 0 ? "nothing of it was committed" : "what it had committed before it was held stays"}\n`
  )
}, Effect.provide(engine))

const load = Effect.fnUntraced(function* (options: Options, action: "commit" | "replay") {
  const { entry, file, path, pipeline } = yield* findRun(options.run, options)
  const progress = yield* progressView(pipeline.name, options.json)
  const view = file.service === "embedded" ? unpaid(progress, options.json) : progress
  const stopped = (how: Run.Stopped) =>
    Effect.andThen(
      view.clear,
      Effect.sync(() => process.stderr.write(stoppedLine(pipeline.name, how, action)))
    )
  const report = yield* Run[action](pipeline, entry.state.run_id, { watch: view.show, stopped }).pipe(
    Effect.ensuring(view.clear),
    Effect.mapError((error) => failureOf(file, error, options.json))
  )
  showReport(report, options.json, { file: path, vars: options.vars })
  return yield* verdict(report)
}, Effect.provide(engine))

/** The run whose id begins with `id`, from the journals of the pipeline files, with its pipeline. */
const findRun = Effect.fn("findRun")(function* (id: string, options: Files) {
  const found = (yield* journaledRuns(options)).filter(({ entry }) => entry.state.run_id.startsWith(id))
  const [run] = found
  if (run === undefined)
    return yield* wrong(`no journal has a run whose id begins with ${id}: see millrace journal list`)
  if (found.length > 1) return yield* wrong(`${found.length} runs begin with ${id}: give more characters of the id`)
  return run
})

/** All runs in the journals of the pipeline files, the oldest first. */
const journaledRuns = Effect.fn("journaledRuns")(function* (options: Files) {
  const journals = yield* Journal.Journals
  const runs = yield* Effect.forEach(yield* loadPipelines(options), (loaded) =>
    journals.look(loaded.pipeline.name, loaded.pipeline.directory, loaded.pipeline.journal.shared).pipe(
      Effect.map((entries) => entries.map((entry) => ({ ...loaded, entry }))),
      Effect.mapError((error) => failed(`${loaded.path}: ${error.message}`))
    )
  )
  return runs.flat().toSorted((a, b) => (a.entry.state.run_id < b.entry.state.run_id ? -1 : 1))
})
