/**
 * The work behind `millrace completions`.
 */
import * as Completions from "effect/cli/Completions"
import * as Effect from "effect/Effect"
import { millrace } from "./millrace.ts"

export const printCompletions = (shell: "bash" | "zsh" | "fish") =>
  Effect.sync(() => {
    process.stdout.write(`${Completions.generate("millrace", shell, Completions.fromCommand(millrace))}\n`)
  })
