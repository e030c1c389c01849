/**
 * Loads a pipeline file, from its path or its text, for a command. An invalid file ends the command.
 */
import * as Effect from "effect/Effect"
import type * as Interval from "#engine/Interval"
import type { PipelineFileError } from "#engine/PipelineFileError"
import * as Load from "#library/loadFile"
import type { StartError } from "#library/StartError"
import { wrong } from "./CliFailure.ts"

export type { Loaded } from "#library/loadFile"

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
