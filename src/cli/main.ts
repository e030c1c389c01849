/**
 * The command line's first line: parses the arguments, runs the command, ends with its exit code.
 *
 * The law: start-up stays quick, so this file and the commands import only what parses arguments; the work behind a
 * command is imported when it runs. Answers go to stdout, progress and errors to stderr, and the exit code is the one of
 * `CliFailure`.
 */
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Cause from "effect/Cause"
import * as CliError from "effect/cli/CliError"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { CliFailure, runFailed, wrongInput } from "./CliFailure.ts"
import { isCollectorNamed } from "./collector.ts"
import { millrace } from "./millrace.ts"
import { printable } from "./printable.ts"
import { version } from "./version.ts"

const program = Command.run(millrace, { version }).pipe(
  Effect.tapError((error) =>
    Effect.sync(() => void (error instanceof CliFailure && process.stderr.write(`${printable(error.message)}\n`)))
  ),
  Effect.provide(NodeServices.layer),
  Effect.withTracerEnabled(isCollectorNamed())
)

const exitCodeOf = (exit: Exit.Exit<unknown, unknown>): number => {
  if (Exit.isSuccess(exit)) return 0
  if (Cause.hasInterruptsOnly(exit.cause)) return 130
  const error = Cause.squash(exit.cause)
  if (error instanceof CliFailure) return error.exitCode
  if (CliError.isCliError(error)) return error._tag === "ShowHelp" && error.errors.length === 0 ? 0 : wrongInput
  process.stderr.write(printable(`millrace: ${Cause.pretty(exit.cause)}\n`))
  return runFailed
}

// Whoever reads our output may have read enough, as `head` does: that is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : runFailed))

NodeRuntime.runMain(program, {
  disableErrorReporting: true,
  teardown: (exit, onExit) => onExit(exitCodeOf(exit))
})
