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
import * as Layer from "effect/Layer"
import * as Tracer from "effect/Tracer"
import { version } from "#contract/version"
import { StartError } from "#library/StartError"
import { CliFailure, runFailed, wrongInput } from "#see/CliFailure"
import { printable } from "#see/printable"
import { isCollectorNamed } from "./collector.ts"
import { millrace } from "./millrace.ts"
import { telemetry } from "./telemetry.ts"

export const commandLine = (args: ReadonlyArray<string>) =>
  Command.runWith(millrace, { version })(args).pipe(
    continuing(process.env["TRACEPARENT"]),
    Effect.tapError((error) =>
      Effect.sync(
        () =>
          void (hasPlainMessage(error) && error.message !== "" && process.stderr.write(`${printable(error.message)}\n`))
      )
    ),
    Effect.provide(Layer.mergeAll(NodeServices.layer, telemetry)),
    Effect.withTracerEnabled(isCollectorNamed())
  )

/** The trace of the program that started this one, as W3C Trace Context writes it. */
const continuing =
  (traceparent: string = "") =>
  <A, E, R>(command: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const [, traceId, spanId, flags = ""] =
      /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(traceparent.trim()) ?? []
    if (traceId === undefined || spanId === undefined) return command
    const parent = Tracer.externalSpan({ traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a parent span is no requirement of a command
    return Effect.withParentSpan(command, parent) as Effect.Effect<A, E, R>
  }

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
