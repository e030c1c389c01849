/**
 * Reports the end of a run to a program on this machine: the payload on its standard input, the event in its
 * environment.
 *
 * No shell reads the command; the program has thirty seconds, and its exit code says whether it succeeded.
 */
import { spawn } from "node:child_process"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import type * as Notify from "#engine/Notify"
import { NotifyError } from "#engine/ScheduleNotifier"
import { headline, type Notice, payload } from "./scheduleNews.ts"

const endMillis = 30_000

export const notifyCommand = ({ run: [program, ...args] }: typeof Notify.Command.Type, message: Notice) =>
  Effect.callback<void, NotifyError>((resume) => {
    const fail = (text: string) => resume(Effect.fail(new NotifyError({ message: text, retryable: false })))
    const child = spawn(program, args, {
      cwd: dirname(message.task.path),
      timeout: endMillis,
      killSignal: "SIGKILL",
      stdio: ["pipe", "ignore", "pipe"],
      env: {
        ...process.env,
        MILLRACE_EVENT: message.event,
        MILLRACE_PIPELINE: message.task.name,
        MILLRACE_RUN: message.run.run_id ?? "",
        MILLRACE_REPORT: message.report ?? "",
        MILLRACE_HEADLINE: headline(message)
      }
    })
    let stderr = ""
    child.stderr.on("data", (chunk) => (stderr = `${stderr}${chunk}`.slice(-500)))
    // A program that does not read its input is fine.
    child.stdin.on("error", () => {})
    child.stdin.end(`${JSON.stringify(payload(message))}\n`)
    child.on("error", (cause) => fail(`${program} cannot be started: ${cause.message}`))
    child.on("close", (code, signal) => {
      if (code === 0) return resume(Effect.void)
      const output = stderr.trim() === "" ? "" : `: ${stderr.trim()}`
      fail(code === null ? `${program} was killed by ${signal}${output}` : `${program} ended with ${code}${output}`)
    })
    return Effect.sync(() => void child.kill("SIGKILL"))
  })
