/** `millrace compact FILE...`: small files of a destination become large ones. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "../flags.ts"

const below = Flag.String("below").pipe(
  Flag.withDescription("a file of fewer bytes is small and is merged"),
  Flag.withDefault("32MB")
)

export const compact = Command.make(
  "compact",
  { files: flags.files, vars: flags.vars, below, json: flags.json },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../pipeline/compactSinks.ts")),
      ({ compactSinks }) => compactSinks(options)
    )
).pipe(Command.withDescription("Merge the small files of Parquet sinks under a new manifest"))
