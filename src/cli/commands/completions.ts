/** `millrace completions SHELL`: the script that completes this command in a shell. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"

const shell = Argument.Literals("shell", ["bash", "zsh", "fish"]).pipe(Argument.withDescription("bash, zsh or fish"))

export const completions = Command.make("completions", { shell }, ({ shell }) =>
  Effect.flatMap(
    Effect.promise(() => import("../printCompletions.ts")),
    ({ printCompletions }) => printCompletions(shell)
  )
).pipe(
  Command.withDescription("Print the completion script of a shell"),
  Command.withExamples([{ command: "source <(millrace completions bash)", description: "complete in this shell" }])
)
