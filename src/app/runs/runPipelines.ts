/**
 * The work behind `millrace run`.
 *
 * Every file is checked before the first one runs. Then the files run in order, and a failed run does not stop the others.
 * The exit code is that of the first failure.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { OnceKey } from "#engine/PipelineKeys"
import * as Run from "#engine/Run"
import { engine, type NetworkFlags, withService } from "#library/services"
import { type CliFailure, wrong } from "#see/CliFailure"
import { type Loaded, loadPipeline } from "#see/loadPipeline"
import { printable } from "#see/printable"
import { failureOf, showReport, stoppedAsJson, stoppedLine, verdict } from "#see/runReport"
import { progressView, unpaid } from "./progressView.ts"

interface Options extends NetworkFlags {
  readonly files: ReadonlyArray<string>
  readonly vars: Readonly<Record<string, string>>
  readonly fullRefresh: boolean
  /** The key of `--once`, which overrides `once` of the file. */
  readonly once: Option.Option<string>
  readonly json: boolean
}

export const runPipelines = Effect.fn("runPipelines")(function* (options: Options) {
  if (Option.exists(options.once, (key) => !isKey(key))) {
    return yield* wrong(
      `--once must be a key of 1 to 200 characters, not ${JSON.stringify(Option.getOrNull(options.once))}`
    )
  }
  const loaded = yield* Effect.forEach(options.files, (path) =>
    Effect.map(loadPipeline(path, options.vars, "none"), (one) => ({ ...one, path }))
  )
  const failures: Array<CliFailure> = []
  for (const [at, each] of loaded.entries()) {
    yield* runOne(each, options).pipe(
      Effect.catch((failure) => Effect.sync(() => failures.push(failure))),
      Effect.onInterrupt(() => Effect.sync(() => reportStopped(failures, loaded.slice(at + 1))))
    )
  }
  const [first] = failures
  if (first === undefined) return
  for (const other of failures.slice(1)) process.stderr.write(printable(`${other.message}\n`))
  return yield* first
})

const isKey = Schema.is(OnceKey)

const runOne = Effect.fnUntraced(function* (
  { file, path, pipeline }: Loaded & { readonly path: string },
  options: Options
) {
  const progress = yield* progressView(pipeline.name, options.json)
  const view = file.service === "embedded" ? unpaid(progress, options.json) : progress
  let isReported = false
  const report = (line: string) =>
    Effect.andThen(
      view.clear,
      Effect.sync(() => {
        isReported = true
        process.stderr.write(line)
      })
    )
  const stopped = (how: Run.Stopped) => {
    if (options.json) process.stdout.write(stoppedAsJson(pipeline.name, how))
    return report(stoppedLine(pipeline.name, how, "run"))
  }
  const ran = yield* Effect.flatMap(withService(file, pipeline, options, true), (ready) =>
    Run.run(ready, {
      watch: view.show,
      tell: (message) => Effect.sync(() => void process.stderr.write(`${message}\n`)),
      fullRefresh: options.fullRefresh,
      once: Option.getOrElse(options.once, () => file.once),
      stopped
    })
  ).pipe(
    Effect.provide(engine),
    Effect.onInterrupt(() =>
      Effect.suspend(() =>
        isReported
          ? Effect.void
          : report(`${pipeline.name}: stopped while no run was in progress; nothing more was read or committed\n`)
      )
    ),
    Effect.ensuring(view.clear),
    Effect.mapError((error) => failureOf(file, error, options.json))
  )
  showReport(ran, options.json, { file: path, vars: options.vars })
  return yield* verdict(ran)
}, Effect.scoped)

/** Prints the failures before the stop, and the pipelines that were not run because of it. */
const reportStopped = (failures: ReadonlyArray<CliFailure>, left: ReadonlyArray<Loaded>): void => {
  for (const { message } of failures) process.stderr.write(printable(`${message}\n`))
  if (left.length > 0) process.stderr.write(`not run: ${left.map(({ pipeline }) => pipeline.name).join(", ")}\n`)
}
