/** `millrace backfill FILE --from --to`: loads a period of time with one run for each interval. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "#see/flags"

export const backfill = Command.make(
  "backfill",
  {
    file: flags.file,
    vars: flags.vars,
    from: Flag.String("from").pipe(
      Flag.withDescription("the start of the first interval: a day or a time, in UTC if it names no zone"),
      Flag.optional
    ),
    to: Flag.String("to").pipe(
      Flag.withDescription("the end of the last interval, in the same form; the interval does not include this moment"),
      Flag.optional
    ),
    every: Flag.String("every").pipe(
      Flag.withDescription("the length of an interval, such as 1h, 1 week or 1 month; default: 1d"),
      Flag.withDefault("1d")
    ),
    concurrency: Flag.Int("concurrency").pipe(
      Flag.withDescription(
        "how many intervals are read at the same time; they are loaded one after the other; default: 1"
      ),
      Flag.withDefault(1)
    ),
    again: Flag.Boolean("again").pipe(
      Flag.withDescription("load finished intervals again; the new rows replace the old ones"),
      Flag.withDefault(false)
    ),
    list: Flag.Boolean("list").pipe(
      Flag.withDescription("show the state of each interval, and load nothing"),
      Flag.withDefault(false)
    ),
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("print one JSON object for each interval, and one with the counts at the end"),
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
  Command.withDescription(
    "Load a period of time, with one run for each interval; finished intervals are not loaded again"
  ),
  Command.withExamples([
    { command: "millrace backfill daily.yaml --from 2026-01-01 --to 2026-02-01", description: "a run for each day" },
    { command: "millrace backfill daily.yaml --list", description: "which intervals are loaded, and which failed" }
  ])
)
