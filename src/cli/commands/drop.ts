/** `millrace drop RUN`: discards a held run. */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as flags from "../flags.ts"

export const drop = Command.make(
  "drop",
  { run: flags.run, files: flags.anyFiles, vars: flags.vars, json: flags.json },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../runs/decideRun.ts")),
      ({ dropRun }) => dropRun(options)
    )
).pipe(Command.withDescription("Drop a run that a check holds; nothing of it is loaded"))
