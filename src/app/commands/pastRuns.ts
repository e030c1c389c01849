/** The commands about past runs: `millrace runs`, `commit`, `drop` and `replay`. */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as flags from "#see/flags"

const show = Command.make(
  "show",
  { run: flags.run, files: flags.anyFiles, vars: flags.vars, json: flags.json },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../runs/showRuns.ts")),
      ({ showRun }) => showRun(options)
    )
).pipe(
  Command.withDescription("Show one run: its rows, its credits, and how many URLs were loaded, failed or were blocked")
)

/** `millrace runs FILE...` and `millrace runs show RUN FILE...`: past runs, as the destinations and the journal have them. */
export const runs = Command.make(
  "runs",
  { files: flags.anyFiles, vars: flags.vars, json: flags.jsonFor("run") },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../runs/showRuns.ts")),
      ({ listRuns }) => listRuns(options)
    )
).pipe(
  Command.withDescription("List past runs, including those that failed, were stopped, or are held by a check"),
  Command.withSubcommands([show])
)

/** `millrace commit RUN`: loads a held run as it is staged. */
export const commit = Command.make(
  "commit",
  { run: flags.run, files: flags.anyFiles, vars: flags.vars, json: flags.json },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../runs/decideRun.ts")),
      ({ commitRun }) => commitRun(options)
    )
).pipe(Command.withDescription("Commit a run that a check holds, as it is"))

/** `millrace drop RUN`: discards a held run. */
export const drop = Command.make(
  "drop",
  { run: flags.run, files: flags.anyFiles, vars: flags.vars, json: flags.json },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../runs/decideRun.ts")),
      ({ dropRun }) => dropRun(options)
    )
).pipe(Command.withDescription("Drop a run that a check holds, without loading its rows"))

/** `millrace replay RUN`: rebuilds the tables of a run from its journal. */
export const replay = Command.make(
  "replay",
  { run: flags.run, files: flags.anyFiles, vars: flags.vars, json: flags.json },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../runs/decideRun.ts")),
      ({ replayRun }) => replayRun(options)
    )
).pipe(Command.withDescription("Rebuild the tables of a run from its journal, without sending a request"))
