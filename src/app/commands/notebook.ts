/** `millrace notebook FILE`: writes a notebook that queries the tables of a pipeline. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "#see/flags"

export const notebook = Command.make(
  "notebook",
  {
    file: flags.file,
    vars: flags.vars,
    sink: Flag.String("sink").pipe(
      Flag.withDescription("the sink whose tables are queried; default: the first sink of the file"),
      Flag.optional
    ),
    output: Flag.String("output").pipe(
      Flag.withDescription("the file to write; default: the name of the pipeline with .ipynb"),
      Flag.optional
    ),
    ts: Flag.Boolean("ts").pipe(
      Flag.withDescription(
        "write TypeScript for the Deno kernel, with a type for the rows of each table; default: Python"
      ),
      Flag.withDefault(false)
    ),
    force: Flag.Boolean("force").pipe(Flag.withDescription("replace a file that exists"), Flag.withDefault(false))
  },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("#see/writeNotebook")),
      ({ writeNotebook }) => writeNotebook(options)
    )
).pipe(
  Command.withDescription("Write a notebook, in Python or TypeScript, with first queries on the tables of a pipeline"),
  Command.withExamples([
    { command: "millrace notebook docs.yaml", description: "docs.ipynb, for Jupyter, VS Code and others" },
    { command: "millrace notebook docs.yaml --ts --output docs.ts.ipynb", description: "the same in TypeScript" }
  ])
)
