/** What a run would be, without a run: `millrace check`, `millrace plan` and `millrace preview`. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "../flags.ts"
import { format, formatOf } from "../format.ts"

/** `millrace check FILE...`: reads pipeline files and says everything that is wrong with them. */
export const check = Command.make("check", { files: flags.files, vars: flags.vars }, (options) =>
  Effect.flatMap(
    Effect.promise(() => import("../pipeline/checkPipelines.ts")),
    ({ checkPipelines }) => checkPipelines(options)
  )
).pipe(Command.withDescription("Check pipeline files without running them"))

/** `millrace plan FILE`: what a run would read, write and at most cost. */
export const plan = Command.make("plan", { file: flags.file, vars: flags.vars, json: flags.json }, (options) =>
  Effect.flatMap(
    Effect.promise(() => import("../pipeline/planPipeline.ts")),
    ({ planPipeline }) => planPipeline(options)
  )
).pipe(Command.withDescription("Show what a run would do: tables, columns, writes"))

const rows = Flag.Int("rows").pipe(
  Flag.withDescription("how many rows to show"),
  flags.within(1, 1_000_000),
  Flag.withDefault(10)
)

/** `millrace preview FILE`: the first rows of a pipeline, without writing anything. */
export const preview = Command.make(
  "preview",
  {
    file: flags.file,
    vars: flags.vars,
    rows,
    ...format,
    allowPrivate: flags.allowPrivate,
    resolve: flags.resolve
  },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../pipeline/previewPipeline.ts")),
      ({ previewPipeline }) => previewPipeline({ ...options, format: formatOf(options) })
    )
).pipe(Command.withDescription("Show the first rows of a pipeline without writing them"))
