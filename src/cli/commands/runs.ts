/** `millrace runs FILE...` and `millrace runs show RUN FILE...`: what has run, from the destinations themselves. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as flags from "../flags.ts"

const files = Argument.String("file").pipe(
  Argument.withDescription("a pipeline file; every *.yaml of this folder where none is named"),
  Argument.variadic()
)
const run = Argument.String("run").pipe(Argument.withDescription("the id of a run, or how it begins"))

const show = Command.make("show", { run, files, vars: flags.vars, json: flags.json }, (options) =>
  Effect.flatMap(
    Effect.promise(() => import("../showRun.ts")),
    ({ showRun }) => showRun(options)
  )
).pipe(Command.withDescription("Show one run: rows, credits, where everything went"))

export const runs = Command.make("runs", { files, vars: flags.vars, json: flags.json }, (options) =>
  Effect.flatMap(
    Effect.promise(() => import("../listRuns.ts")),
    ({ listRuns }) => listRuns(options)
  )
).pipe(Command.withDescription("List the runs that the destinations have seen"), Command.withSubcommands([show]))
