/** `millrace preview FILE`: the first rows of a pipeline, without writing anything. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "../flags.ts"

const rows = Flag.Int("rows").pipe(
  Flag.withDescription("how many rows to show"),
  flags.within(1, 1_000_000),
  Flag.withDefault(10)
)

export const preview = Command.make(
  "preview",
  {
    file: flags.file,
    vars: flags.vars,
    rows,
    json: flags.json,
    allowPrivate: flags.allowPrivate,
    resolve: flags.resolve
  },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../pipeline/previewPipeline.ts")),
      ({ previewPipeline }) => previewPipeline(options)
    )
).pipe(Command.withDescription("Show the first rows of a pipeline without writing them"))
