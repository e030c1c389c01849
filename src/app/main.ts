/**
 * The entry of the command line: runs the command, and ends the process with its exit code.
 *
 * Start-up must stay fast, so this file and the commands import only what parses arguments. A command imports its work when it
 * runs.
 */
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { completeEnvironment } from "#library/environment"
import { runFailed, wrongInput } from "#see/systemFailure"
import { commandLine, exitCodeOf } from "./commandLine.ts"
import { signalDeadline } from "./signalDeadline.ts"

// The program that reads our output may end early, as `head` does. This is not a failure.
process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  if (code !== "EPIPE") process.stderr.write(`the output cannot be written to stdout: ${message}\n`)
  process.exit(code === "EPIPE" ? 0 : runFailed)
})

const wrong = completeEnvironment()
if (wrong === undefined) {
  signalDeadline()
  NodeRuntime.runMain(commandLine(process.argv.slice(2)), {
    disableErrorReporting: true,
    teardown: (exit, onExit) => onExit(exitCodeOf(exit))
  })
} else {
  process.stderr.write(`${wrong}\n`)
  process.exitCode = wrongInput
}
