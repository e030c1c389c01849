/** `millrace run FILE...`: runs pipelines, one after the other. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "../flags.ts"

const fullRefresh = Flag.Boolean("full-refresh").pipe(
  Flag.withDescription("read from the beginning; the checkpoints in the destinations are ignored"),
  Flag.withDefault(false)
)

const once = Flag.String("once").pipe(
  Flag.withDescription(
    "a key of your choice, such as a date: a run that has committed under this key is reported and not run again"
  ),
  Flag.optional
)

export const run = Command.make(
  "run",
  {
    files: flags.files,
    vars: flags.vars,
    fullRefresh,
    once,
    json: flags.json,
    allowPrivate: flags.allowPrivate,
    resolve: flags.resolve
  },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../runs/runPipelines.ts")),
      ({ runPipelines }) => runPipelines(options)
    )
).pipe(
  Command.withDescription("Run pipelines"),
  Command.withExamples([
    { command: "millrace run pipelines/quickstart.yaml", description: "run a pipeline and watch it" },
    { command: "millrace run nightly.yaml --json", description: "print the result as one JSON object" },
    {
      command: "millrace run nightly.yaml --once 2026-11-24",
      description: "run it once for this day, however often you call it"
    }
  ])
)
