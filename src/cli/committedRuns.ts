/**
 * The runs of some pipeline files, as their destinations tell them: one for each run, with the sinks that have it.
 */
import { readdir } from "node:fs/promises"
import * as Effect from "effect/Effect"
import type * as Sink from "../pipeline/Sink.ts"
import { failed, wrong } from "./CliFailure.ts"
import { loadPipeline } from "./loadPipeline.ts"
import { readingServices } from "./services.ts"

export interface CommittedRun extends Sink.RunRecord {
  /** In which sinks of its pipeline file it is; one that lacks it missed the commit, or came later. */
  readonly sinks: ReadonlyArray<string>
}

export interface Options {
  readonly files: ReadonlyArray<string>
  readonly vars: Readonly<Record<string, string>>
}

/** The newest first. */
export const committedRuns = Effect.fn("committedRuns")(function* ({ files, vars }: Options) {
  const named = files.length > 0 ? files : yield* pipelineFiles
  const runs = yield* Effect.forEach(named, (path) => runsOf(path, vars))
  return runs.flat().toSorted((a, b) => Number(b.startedAt - a.startedAt))
})

const runsOf = Effect.fnUntraced(function* (path: string, vars: Readonly<Record<string, string>>) {
  const { pipeline } = yield* loadPipeline(path, vars)
  const found = new Map<string, CommittedRun>()
  for (const [name, sink] of Object.entries(pipeline.sinks)) {
    const records = yield* sink.runs(pipeline.directory).pipe(
      Effect.provide(readingServices),
      Effect.mapError((error) => failed(`${path}: sink ${name}: ${error.message}`))
    )
    for (const record of records) {
      if (record.pipeline !== pipeline.name) continue
      found.set(record.runId, { ...record, sinks: [...(found.get(record.runId)?.sinks ?? []), name] })
    }
  }
  return [...found.values()]
})

const pipelineFiles = Effect.gen(function* () {
  const names = yield* Effect.promise(() => readdir("."))
  const files = names.filter((name) => /\.ya?ml$/.test(name)).sort()
  return files.length > 0 ? files : yield* wrong("there is no *.yaml in this folder: name a pipeline file")
})
