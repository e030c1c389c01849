/** `millrace run FILE...`: runs pipelines, one after the other. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "#see/flags"

const fullRefresh = Flag.Boolean("full-refresh").pipe(
  Flag.withDescription("read everything again; ignore the checkpoints in the destinations"),
  Flag.withDefault(false)
)

const once = Flag.String("once").pipe(
  Flag.withDescription(
    "a key of your choice, such as a date: if a run has already committed under this key, it is reported and nothing is run"
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
    json: flags.jsonFor("pipeline"),
    allowPrivate: flags.allowPrivate,
    resolve: flags.resolve
  },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../runs/runPipelines.ts")),
      ({ runPipelines }) => runPipelines(options)
    )
).pipe(
  Command.withDescription("Run pipelines: read their sources, and load the rows into their sinks"),
  Command.withExamples([
    { command: "millrace run pipelines/quickstart.yaml", description: "run a pipeline and watch it" },
    { command: "millrace run nightly.yaml --json", description: "print the result as one JSON object" },
    {
      command: "millrace run nightly.yaml --once 2026-11-24",
      description: "run it once for this day, however often you call it"
    }
  ])
)
