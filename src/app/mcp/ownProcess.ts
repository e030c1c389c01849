/**
 * Runs a command of this program in a process of its own. So its output does not mix with the protocol on our stdout, and it is
 * stopped with SIGTERM, so that a run cancels its job and keeps its journal.
 */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import * as Effect from "effect/Effect"
import { ownCommand } from "#see/packageFolder"

interface Ended {
  readonly code: number
  readonly stdout: string
  /** The last lines of stderr, without progress. */
  readonly stderr: ReadonlyArray<string>
}

/** More output than an agent reads. */
const maxOutput = 4 * 1024 * 1024
const maxLines = 100
/** A run that receives SIGTERM finishes its transaction first. */
const patienceMillis = 30_000

/** `onLine` handles a line of stderr; true: the line is not kept. */
export const ownProcess = (args: ReadonlyArray<string>, onLine: (line: string) => boolean): Effect.Effect<Ended> =>
  Effect.callback<Ended>((resume) => {
    const [program, ...first] = ownCommand()
    const child = spawn(program, [...first, ...args], { stdio: ["ignore", "pipe", "pipe"] })
    const chunks: Array<Buffer> = []
    const lines: Array<string> = []
    let length = 0
    child.stdout.on("data", (chunk: Buffer) => {
      length += chunk.length
      if (length <= maxOutput) chunks.push(chunk)
    })
    createInterface({ input: child.stderr }).on("line", (line) => {
      if (onLine(line)) return
      lines.push(line)
      if (lines.length > maxLines) lines.shift()
    })
    const closed = new Promise<void>((done) => child.once("close", () => done()))
    child.once("error", (error) => resume(Effect.succeed({ code: 1, stdout: "", stderr: [error.message] })))
    child.once("close", (code) =>
      resume(Effect.succeed({ code: code ?? 1, stdout: Buffer.concat(chunks).toString(), stderr: lines }))
    )
    return Effect.promise(() => {
      child.kill("SIGTERM")
      const last = setTimeout(() => child.kill("SIGKILL"), patienceMillis)
      return closed.finally(() => clearTimeout(last))
    })
  })
