/**
 * A pipeline file from its path, or from its text, for a command: what is wrong with it ends the command.
 */
import * as Effect from "effect/Effect"
import type { PipelineFileError } from "../../file/PipelineFileError.ts"
import * as Load from "../../library/loadFile.ts"
import type { StartError } from "../../library/StartError.ts"
import type * as Interval from "../../pipeline/backfill/Interval.ts"
import { wrong } from "../CliFailure.ts"

export type { Loaded } from "../../library/loadFile.ts"

/**
 * `interval`: what a backfill loads, or "none" where the pipeline is run without one. Where it is only looked at, the day
 * before this one stands in.
 */
export const loadPipeline = Effect.fn("loadPipeline")(function* (
  path: string,
  vars: Readonly<Record<string, string>>,
  interval?: Interval.Interval | "none"
) {
  return yield* loadText(path, yield* textOf(path), vars, interval)
})

export const textOf = (path: string) => Effect.mapError(Load.textOf(path), toFailure)

/** From a text that stands at that path, or has stood there. */
export const loadText = (
  path: string,
  text: string,
  vars: Readonly<Record<string, string>>,
  interval?: Interval.Interval | "none"
) => Effect.mapError(Load.loadText(path, text, { vars, interval }), toFailure)

const toFailure = ({ message }: PipelineFileError | StartError) => wrong(message)
