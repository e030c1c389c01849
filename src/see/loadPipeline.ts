/**
 * Loads a pipeline file, from its path or its text, for a command. An invalid file ends the command.
 */
import * as Effect from "effect/Effect"
import type * as Interval from "#engine/Interval"
import * as OutputTables from "#engine/OutputTables"
import { refuseForeign } from "#engine/ownership"
import type { PipelineFileError } from "#engine/PipelineFileError"
import { temporaryFolder } from "#engine/temporaryFolder"
import { withSideNames } from "#engine/withSideNames"
import type { Loaded } from "#library/loadFile"
import * as Load from "#library/loadFile"
import type { StartError } from "#library/StartError"
import { failureOf } from "./runReport.ts"
import { failed, wrong } from "./systemFailure.ts"

export type { Loaded }

/**
 * `interval`: the interval that a backfill loads, or "none" for a run without one. Default: yesterday, for commands that do
 * not run the pipeline.
 */
export const loadPipeline = Effect.fn("loadPipeline")(function* (
  path: string,
  vars: Readonly<Record<string, string>>,
  interval?: Interval.Interval | "none"
) {
  return yield* loadText(path, yield* textOf(path), vars, interval)
})

export const textOf = (path: string) => Effect.mapError(Load.textOf(path), toFailure)

/** Loads a text that the file at this path has now or had earlier. */
export const loadText = (
  path: string,
  text: string,
  vars: Readonly<Record<string, string>>,
  interval?: Interval.Interval | "none"
) => Effect.mapError(Load.loadText(path, text, { vars, interval }), toFailure)

const toFailure = ({ message }: PipelineFileError | StartError) => wrong(message)

/**
 * The tables that a pipeline file will have, without a run: its steps and checks are tried on empty tables, in a temporary
 * folder.
 */
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
