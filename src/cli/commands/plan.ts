/** `millrace plan FILE`: what a run would read, write and at most cost. */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as flags from "../flags.ts"

export const plan = Command.make("plan", { file: flags.file, vars: flags.vars, json: flags.json }, (options) =>
  Effect.flatMap(
    Effect.promise(() => import("../pipeline/planPipeline.ts")),
    ({ planPipeline }) => planPipeline(options)
  )
).pipe(Command.withDescription("Show what a run would do: tables, columns, writes"))
