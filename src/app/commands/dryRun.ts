/** The commands that look at a pipeline without running it: `millrace check`, `millrace plan` and `millrace preview`. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "#see/flags"
import { format, formatOf } from "#see/format"

/** `millrace check FILE...`: reports everything that is wrong with pipeline files. */
export const check = Command.make("check", { files: flags.files, vars: flags.vars }, (options) =>
  Effect.flatMap(
    Effect.promise(() => import("../pipeline/checkPipelines.ts")),
    ({ checkPipelines }) => checkPipelines(options)
  )
).pipe(Command.withDescription("Check pipeline files without running them"))

/** `millrace plan FILE`: what a run would read and write, and its limits. */
export const plan = Command.make("plan", { file: flags.file, vars: flags.vars, json: flags.json }, (options) =>
  Effect.flatMap(
    Effect.promise(() => import("../pipeline/planPipeline.ts")),
    ({ planPipeline }) => planPipeline(options)
  )
).pipe(Command.withDescription("Show what a run would write: tables, columns, how rows are written"))

const rows = Flag.Int("rows").pipe(
  Flag.withDescription("the maximum number of rows to show; default: 10"),
  flags.within(1, 1_000_000),
  Flag.withDefault(10)
)

/** `millrace preview FILE`: the first rows of a pipeline; nothing is written. */
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
