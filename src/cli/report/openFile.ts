/** Opens a file in the program that the platform has for it, and does not wait for that program. */
import { spawn } from "node:child_process"
import * as Effect from "effect/Effect"
import { type CliFailure, failed } from "../CliFailure.ts"

const opener = (path: string): readonly [program: string, ...args: ReadonlyArray<string>] => {
  switch (process.platform) {
    case "darwin":
      return ["open", path]
    case "win32":
      return ["explorer.exe", path]
    default:
      return ["xdg-open", path]
  }
}

export const openFile = (path: string): Effect.Effect<void, CliFailure> =>
  Effect.callback<void, CliFailure>((resume) => {
    const [program, ...args] = opener(path)
    const child = spawn(program, args, { detached: true, stdio: "ignore" })
    child.once("error", ({ message }) =>
      resume(Effect.fail(failed(`${path} is written, but ${program} cannot open it: ${message}; open it yourself`)))
    )
    child.once("spawn", () => {
      child.unref()
      resume(Effect.void)
    })
  })
