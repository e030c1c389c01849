/**
 * The entry of the command line: runs the command, and ends the process with its exit code.
 *
 * Start-up must stay fast, so this file and the commands import only what parses arguments. A command imports its work when it
 * runs.
 */
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as KnownSecrets from "#base/KnownSecrets"
import { completeEnvironment } from "#library/environment"
import { runFailed, wrongInput } from "#see/CliFailure"
import { commandLine, exitCodeOf } from "./commandLine.ts"

// The program that reads our output may end early, as `head` does. This is not a failure.
process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  if (code !== "EPIPE") process.stderr.write(`the output cannot be written to stdout: ${message}\n`)
  process.exit(code === "EPIPE" ? 0 : runFailed)
})

/** What this process says of its work has no secret that it knows: reasons of failures and logs quote what strangers have sent. */
const writeError = process.stderr.write.bind(process.stderr)
process.stderr.write = (chunk: string | Uint8Array, ...rest: Array<never>) =>
  writeError(typeof chunk === "string" ? KnownSecrets.masked(chunk) : chunk, ...rest)

const wrong = completeEnvironment()

/** The exit code of a command that a signal has stopped. */
const stopped = 130

const patienceMillis = 10_000

/** A terminal and npm may both pass on one Ctrl-C: signals within this time are one. */
const oneSignalMillis = 1000

/**
 * The end of a command that does not end by itself after SIGINT or SIGTERM, because it waits for a peer that says nothing.
 *
 * The first signal interrupts the command (`NodeRuntime.runMain`), which then has ten seconds. After them, or at a further
 * signal, the process ends as it is: its sockets are cut, and its threads and its own processes end with it. What was
 * committed stays, and the next run settles the rest, as after kill -9.
 *
 * Call it before the command runs.
 */
const signalDeadline = (): void => {
  let first: number | undefined
  const end = () => {
    process.stderr.write(
      "millrace: stopped without waiting for what did not answer; what was committed stays, and the next run settles the rest\n"
    )
    process.exit(stopped)
  }
  const receive = () => {
    const now = performance.now()
    if (first === undefined) setTimeout(end, patienceMillis).unref()
    else if (now - first > oneSignalMillis) end()
    first ??= now
  }
  process.on("SIGINT", receive)
  process.on("SIGTERM", receive)
}

/** How long what a command has left behind may take after its end. */
const leftMillis = 1000

/** A command that has ended ends its process, whatever still waits in it, such as the timer of a browser that never answered. */
const endProcess = (code: number): void => {
  const end = () => (process.stdout.writableLength === 0 ? process.exit(code) : later())
  const later = () => void setTimeout(end, leftMillis).unref()
  later()
}

if (wrong === undefined) {
  signalDeadline()
  NodeRuntime.runMain(commandLine(process.argv.slice(2)), {
    disableErrorReporting: true,
    teardown: (exit, onExit) => {
      const code = exitCodeOf(exit)
      endProcess(code)
      onExit(code)
    }
  })
} else {
  process.stderr.write(`${wrong}\n`)
  process.exitCode = wrongInput
}
