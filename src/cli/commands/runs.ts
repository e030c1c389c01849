/** `millrace runs FILE...` and `millrace runs show RUN FILE...`: what has run, from the destinations themselves. */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as flags from "../flags.ts"

const show = Command.make(
  "show",
  { run: flags.run, files: flags.anyFiles, vars: flags.vars, json: flags.json },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../runs/showRun.ts")),
      ({ showRun }) => showRun(options)
    )
).pipe(Command.withDescription("Show one run: its rows, its credits, and what became of each URL"))

export const runs = Command.make("runs", { files: flags.anyFiles, vars: flags.vars, json: flags.json }, (options) =>
  Effect.flatMap(
    Effect.promise(() => import("../runs/listRuns.ts")),
    ({ listRuns }) => listRuns(options)
  )
).pipe(
  Command.withDescription("List past runs, also those that failed, are held or were stopped"),
  Command.withSubcommands([show])
)
