/** `millrace report FILE [RUN]`: a report on one run. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "#see/flags"

export const report = Command.make(
  "report",
  {
    file: flags.file,
    run: Argument.String("run").pipe(
      Argument.withDescription("a run id or its first characters, latest or previous; default: latest"),
      Argument.optional
    ),
    vars: flags.vars,
    html: Flag.String("html").pipe(
      Flag.withDescription("write the report to this file, as one HTML page that needs no other files and no scripts"),
      Flag.optional
    ),
    open: Flag.Boolean("open").pipe(
      Flag.withDescription(
        "open the page in the browser; without --html, the page is written beside the pipeline file"
      ),
      Flag.withDefault(false)
    ),
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("print all figures of the report as one JSON object"),
      Flag.withDefault(false)
    )
  },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("#see/makeReport")),
      ({ makeReport }) => makeReport(options)
    )
).pipe(
  Command.withDescription(
    "Report on a run: what was loaded and what was not, its columns compared with earlier runs, what changed"
  ),
  Command.withExamples([
    { command: "millrace report docs.yaml --html report.html", description: "the last run, as one HTML page" },
    { command: "millrace report docs.yaml previous --json", description: "the figures of the run before it" }
  ])
)
