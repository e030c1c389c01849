/** `millrace commit RUN`: loads a held run as it is staged. */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as flags from "../flags.ts"

export const commit = Command.make(
  "commit",
  { run: flags.run, files: flags.anyFiles, vars: flags.vars, json: flags.json },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../runs/decideRun.ts")),
      ({ commitRun }) => commitRun(options)
    )
).pipe(Command.withDescription("Commit a run that a check holds, without changing it"))
