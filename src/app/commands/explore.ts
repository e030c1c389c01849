/** `millrace explore FILE`: a page about the tables that a pipeline has loaded. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "#see/flags"

export const explore = Command.make(
  "explore",
  {
    file: flags.file,
    vars: flags.vars,
    sink: Flag.String("sink").pipe(
      Flag.withDescription(
        "the sink whose tables are shown; default: the first that DuckDB can read, otherwise the first that can be queried with SQL"
      ),
      Flag.optional
    ),
    port: flags.port(0),
    open: Flag.Boolean("open").pipe(Flag.withDescription("open the page in the browser"), Flag.withDefault(false)),
    export: Flag.String("export").pipe(
      Flag.withDescription("write the page and the data to this folder, which any file server can serve, and exit"),
      Flag.optional
    ),
    fetch: Flag.Boolean("fetch").pipe(
      Flag.withDescription(
        "with --export: fetch the pages that values come from again, at most 200, so that Why shows the values in them"
      ),
      Flag.withDefault(false)
    ),
    allowPrivate: flags.allowPrivate,
    resolve: flags.resolve
  },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("#see/explorePipeline")),
      ({ explorePipeline }) => explorePipeline(options)
    )
).pipe(
  Command.withDescription(
    "Show the data of a pipeline in the browser: tables, SQL, charts, runs, differences, where values come from"
  ),
  Command.withExamples([
    { command: "millrace explore docs.yaml", description: "print the URL of the page, and serve it until Ctrl-C" },
    {
      command: "millrace explore docs.yaml --sink lake --open",
      description: "the tables of the sink lake, opened in the browser"
    },
    {
      command: "millrace explore docs.yaml --export ./site",
      description: "a folder for a file server, without millrace"
    }
  ])
)
