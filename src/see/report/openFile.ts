/** Opens a file in the default program of the system, and does not wait for that program. */
import { spawn } from "node:child_process"
import * as Effect from "effect/Effect"
import { type CliFailure, failed } from "../CliFailure.ts"

const opener = (platform: string): string =>
  platform === "darwin" ? "open" : platform === "win32" ? "explorer.exe" : "xdg-open"

export const openFile = (path: string): Effect.Effect<void, CliFailure> =>
  Effect.callback<void, CliFailure>((resume) => {
    const program = opener(process.platform)
    const child = spawn(program, [path], { detached: true, stdio: "ignore" })
    child.once("error", ({ message }) =>
      resume(Effect.fail(failed(`${path} was written, but ${program} cannot open it: ${message}; open it yourself`)))
    )
    child.once("spawn", () => {
      child.unref()
      resume(Effect.void)
    })
  })
