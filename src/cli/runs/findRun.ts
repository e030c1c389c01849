/**
 * The run that an id begins, by the journals of some pipeline files, with the pipeline that it is of.
 */
import * as Effect from "effect/Effect"
import * as Journal from "../../pipeline/Journal.ts"
import { failed, wrong } from "../CliFailure.ts"
import { loadPipelines, type Options } from "../pipeline/pipelineFiles.ts"

export const findRun = Effect.fn("findRun")(function* (id: string, options: Options) {
  const found = (yield* journaledRuns(options)).filter(({ entry }) => entry.state.run_id.startsWith(id))
  const [run] = found
  if (run === undefined) return yield* wrong(`no journal here has a run ${id}: see millrace journal list`)
  if (found.length > 1) return yield* wrong(`${found.length} runs begin with ${id}: give more characters of the id`)
  return run
})

/** Every run that the journals of the files have, the oldest first. */
const journaledRuns = Effect.fn("journaledRuns")(function* (options: Options) {
  const journals = yield* Journal.Journals
  const runs = yield* Effect.forEach(yield* loadPipelines(options), (loaded) =>
    journals.look(loaded.pipeline.name, loaded.pipeline.directory).pipe(
      Effect.map((entries) => entries.map((entry) => ({ ...loaded, entry }))),
      Effect.mapError((error) => failed(`${loaded.path}: ${error.message}`))
    )
  )
  return runs.flat().toSorted((a, b) => (a.entry.state.run_id < b.entry.state.run_id ? -1 : 1))
})
