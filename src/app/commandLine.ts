/**
 * The command line as a program: arguments in, exit code out.
 *
 * Answers go to stdout, progress and errors to stderr, and the exit code is that of `CliFailure`, or 2 for a `StartError`.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Cause from "effect/Cause"
import * as CliError from "effect/cli/CliError"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { version } from "#contract/version"
import { StartError } from "#library/StartError"
import { CliFailure, runFailed, wrongInput } from "#see/CliFailure"
import { printable } from "#see/printable"
import { isCollectorNamed } from "./collector.ts"
import { millrace } from "./millrace.ts"

export const commandLine = (args: ReadonlyArray<string>) =>
  Command.runWith(millrace, { version })(args).pipe(
    Effect.tapError((error) =>
      Effect.sync(
        () =>
          void (hasPlainMessage(error) && error.message !== "" && process.stderr.write(`${printable(error.message)}\n`))
      )
    ),
    Effect.provide(NodeServices.layer),
    Effect.withTracerEnabled(isCollectorNamed())
  )

const hasPlainMessage = (error: unknown): error is CliFailure | StartError =>
  error instanceof CliFailure || error instanceof StartError

/** The exit code; an unexpected error is reported on stderr. */
export const exitCodeOf = (exit: Exit.Exit<unknown, unknown>): number => {
  if (Exit.isSuccess(exit)) return 0
  if (Cause.hasInterruptsOnly(exit.cause)) return 130
  const error = Cause.squash(exit.cause)
  if (error instanceof CliFailure) return error.exitCode
  if (error instanceof StartError) return wrongInput
  if (CliError.isCliError(error)) return error._tag === "ShowHelp" && error.errors.length === 0 ? 0 : wrongInput
  process.stderr.write(printable(`millrace: ${Cause.pretty(exit.cause)}\n`))
  return runFailed
}
