/** `millrace backfill FILE --from --to`: loads a stretch of time, interval by interval, each once. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "../flags.ts"

export const backfill = Command.make(
  "backfill",
  {
    file: flags.file,
    vars: flags.vars,
    from: Flag.String("from").pipe(
      Flag.withDescription("where the first interval begins: a day, or a time; UTC unless it says otherwise"),
      Flag.optional
    ),
    to: Flag.String("to").pipe(
      Flag.withDescription("where the last interval ends; this moment itself is not loaded"),
      Flag.optional
    ),
    every: Flag.String("every").pipe(
      Flag.withDescription("how long an interval is: 1h, 1d, 1 week, 1 month"),
      Flag.withDefault("1d")
    ),
    concurrency: Flag.Int("concurrency").pipe(
      Flag.withDescription("how many intervals are read at once; they are loaded one by one"),
      Flag.withDefault(1)
    ),
    again: Flag.Boolean("again").pipe(
      Flag.withDescription("load intervals again that are done; their new rows take the place of the old ones"),
      Flag.withDefault(false)
    ),
    list: Flag.Boolean("list").pipe(
      Flag.withDescription("show how each interval stands, and load nothing"),
      Flag.withDefault(false)
    ),
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("print one JSON object an interval, and one with the counts at the end"),
      Flag.withDefault(false)
    ),
    allowPrivate: flags.allowPrivate,
    resolve: flags.resolve
  },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../backfill/backfillPipeline.ts")),
      ({ backfillPipeline }) => backfillPipeline(options)
    )
).pipe(
  Command.withDescription("Load a stretch of time, one run an interval; what is done is not done again"),
  Command.withExamples([
    { command: "millrace backfill daily.yaml --from 2026-01-01 --to 2026-02-01", description: "a run for each day" },
    { command: "millrace backfill daily.yaml --list", description: "which intervals are loaded, and which failed" }
  ])
)
