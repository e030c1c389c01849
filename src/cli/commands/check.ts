/** `millrace check FILE...`: reads pipeline files and says everything that is wrong with them. */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as flags from "../flags.ts"

export const check = Command.make("check", { files: flags.files, vars: flags.vars }, (options) =>
  Effect.flatMap(
    Effect.promise(() => import("../pipeline/checkPipelines.ts")),
    ({ checkPipelines }) => checkPipelines(options)
  )
).pipe(Command.withDescription("Check pipeline files without running them"))
