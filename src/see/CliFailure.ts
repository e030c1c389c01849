/**
 * The failure of a command: its message and its exit code.
 *
 * Exit codes: 1: the run failed; 2: the file or the arguments are wrong; 3: a check held the commit.
 */
import * as Schema from "effect/Schema"

export const runFailed = 1
export const wrongInput = 2
export const commitHeld = 3

export class CliFailure extends Schema.TaggedError<CliFailure>()("CliFailure", {
  message: Schema.String,
  exitCode: Schema.Int
}) {}

export const wrong = (message: string) => new CliFailure({ message, exitCode: wrongInput })
export const failed = (message: string) => new CliFailure({ message, exitCode: runFailed })
export const held = (message: string) => new CliFailure({ message, exitCode: commitHeld })
