/** `millrace replay RUN`: rebuilds the tables of a run from its journal. */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as flags from "../flags.ts"

export const replay = Command.make(
  "replay",
  { run: flags.run, files: flags.anyFiles, vars: flags.vars, json: flags.json },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../runs/decideRun.ts")),
      ({ replayRun }) => replayRun(options)
    )
).pipe(Command.withDescription("Rebuild the tables of a run from its journal, without sending a request"))
