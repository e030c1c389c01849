/**
 * The tables that a pipeline file will have, without a run: its steps and checks are tried on empty tables, in a temporary
 * folder.
 */
import * as Effect from "effect/Effect"
import * as OutputTables from "#engine/OutputTables"
import { refuseForeign } from "#engine/ownership"
import { temporaryFolder } from "#engine/temporaryFolder"
import { withSideNames } from "#engine/withSideNames"
import { failed, wrong } from "./CliFailure.ts"
import type { Loaded } from "./loadPipeline.ts"
import { failureOf } from "./runReport.ts"

export const layoutOf = Effect.fn("layoutOf")(function* ({ file, pipeline }: Loaded) {
  const folder = yield* Effect.mapError(temporaryFolder("plan"), ({ message }) => failed(message))
  const named = yield* withSideNames(pipeline)
  return yield* OutputTables.layOut(named, { folder, pipelineFolder: folder, reopen: false }).pipe(
    Effect.mapError((error) => failureOf(file, error, false))
  )
})

/** Fails if the path of a sink has something that is not of this sink. */
export const refuseMisplaced = Effect.fnUntraced(function* ({ file, pipeline }: Loaded) {
  for (const [name, { pathFault }] of Object.entries(pipeline.sinks)) {
    const fault = yield* pathFault?.(pipeline.directory) ?? Effect.undefined
    if (fault !== undefined) return yield* wrong(file.problemAt(["sinks", name, "path"], fault).message)
  }
})

/** Fails if a table of a destination belongs to another pipeline. */
export const refuseTaken = ({ file, pipeline }: Loaded, layout: OutputTables.OutputTables) =>
  Effect.mapError(refuseForeign(pipeline, layout), (error) => failureOf(file, error, false))
