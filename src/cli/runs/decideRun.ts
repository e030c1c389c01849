/**
 * The work behind `millrace commit`, `millrace drop` and `millrace replay`: what becomes of a run that the journal has.
 */
import * as Effect from "effect/Effect"
import * as Run from "../../pipeline/run/Run.ts"
import type { Options as Files } from "../pipeline/pipelineFiles.ts"
import { engine } from "../services.ts"
import { findRun } from "./findRun.ts"
import { progressView } from "./progressView.ts"
import { failureOf, showReport, verdict } from "./runReport.ts"
import { stoppedLine } from "./stoppedRun.ts"

export interface Options extends Files {
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
      : `${state.pipeline}: run ${state.run_id} is dropped; nothing of it was committed\n`
  )
}, Effect.provide(engine))

const load = Effect.fnUntraced(function* (options: Options, deed: "commit" | "replay") {
  const { entry, file, pipeline } = yield* findRun(options.run, options)
  const view = yield* progressView(pipeline.name, options.json)
  const stopped = (how: Run.Stopped) =>
    Effect.andThen(
      view.clear,
      Effect.sync(() => process.stderr.write(stoppedLine(pipeline.name, how, deed)))
    )
  const report = yield* Run[deed](pipeline, entry.state.run_id, { watch: view.show, stopped }).pipe(
    Effect.ensuring(view.clear),
    Effect.mapError((error) => failureOf(file, error, options.json))
  )
  showReport(report, options.json)
  return yield* verdict(report)
}, Effect.provide(engine))
