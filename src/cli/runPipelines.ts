/**
 * The work behind `millrace run`.
 *
 * The law: every file is checked before the first one runs; then they run in order, and one that fails does not keep
 * the others from running; the exit code is the first failure's.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Pipeline from "../pipeline/Pipeline.ts"
import type * as PipelineFile from "../pipeline/PipelineFile.ts"
import * as Run from "../pipeline/Run.ts"
import { type CliFailure, failed, wrong } from "./CliFailure.ts"
import { loadPipeline } from "./loadPipeline.ts"
import { progressView } from "./progressView.ts"
import { type NetworkFlags, services } from "./services.ts"
import { summary } from "./summary.ts"

export interface Options extends NetworkFlags {
  readonly files: ReadonlyArray<string>
  readonly vars: Readonly<Record<string, string>>
  readonly fullRefresh: boolean
  readonly json: boolean
}

export const runPipelines = Effect.fn("runPipelines")(function* (options: Options) {
  const loaded = yield* Effect.forEach(options.files, (path) => loadPipeline(path, options.vars))
  const failures: Array<CliFailure> = []
  for (const { file, pipeline } of loaded) {
    yield* runOne(file, pipeline, options).pipe(Effect.catch((failure) => Effect.sync(() => failures.push(failure))))
  }
  const [first] = failures
  if (first === undefined) return
  for (const other of failures.slice(1)) process.stderr.write(`${other.message}\n`)
  return yield* first
})

const runOne = Effect.fnUntraced(function* <R>(
  file: PipelineFile.PipelineFile<R>,
  pipeline: Pipeline.Pipeline<R>,
  options: Options
) {
  const view = yield* progressView(pipeline.name)
  const report = yield* Run.run(pipeline, { watch: view.show, fullRefresh: options.fullRefresh }).pipe(
    Effect.provide(services(file.service, file.network, options)),
    Effect.ensuring(view.clear),
    Effect.tapError((error) =>
      Effect.sync(() => {
        if (options.json) print({ pipeline: pipeline.name, status: "failed", error: error.message })
      })
    ),
    Effect.mapError((error) => toFailure(pipeline.name, error))
  )
  if (options.json) print(toJson(report))
  else process.stdout.write(summary(report))
}, Effect.scoped)

/** What programs read: the fields of design section 6. */
const toJson = (report: Run.Report) => ({
  pipeline: report.pipeline,
  run_id: report.runId,
  status: "done",
  rows: report.rows,
  rejects: 0,
  credits: report.facts["credits"] ?? 0,
  duration_ms: report.durationMillis,
  sinks: report.receipts,
  ...Option.match(report.accounting, { onNone: () => ({}), onSome: (accounting) => ({ accounting }) })
})

const print = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`)

const toFailure = (pipeline: string, error: { readonly _tag: string; readonly message: string }): CliFailure => {
  if (error._tag === "CliFailure" || error._tag === "PlanError") return wrong(`${pipeline}: ${error.message}`)
  return failed(`${pipeline}: the run failed, nothing was committed: ${error.message}`)
}
