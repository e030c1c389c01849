/** `millrace export`: describes the tables of a pipeline file to other tools. It runs nothing, and reads no page and no table. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "#see/flags"

const shared = {
  file: flags.file,
  vars: flags.vars,
  sink: Flag.String("sink").pipe(
    Flag.withDescription("the sink whose tables are described; default: the first sink of the file"),
    Flag.optional
  )
}

/** `millrace export dbt FILE`: the tables as a source of dbt, with their checks as tests. */
const dbt = Command.make(
  "dbt",
  {
    ...shared,
    schema: Flag.String("schema").pipe(
      Flag.withDescription("the schema of the tables; default: that of the sink"),
      Flag.optional
    )
  },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("#see/exportDbt")),
      ({ exportDbt }) => exportDbt(options)
    )
).pipe(
  Command.withDescription("Print a sources.yml for dbt: tables, columns, and tests from the checks"),
  Command.withExamples([
    { command: "millrace export dbt docs.yaml > models/sources.yml", description: "a source that dbt models can use" }
  ])
)

/** `millrace export types FILE`: the rows as TypeScript types, or the tables as SQL. */
const types = Command.make(
  "types",
  {
    ...shared,
    lang: Flag.Literals("lang", ["typescript", "sql"]).pipe(
      Flag.withDescription(
        "typescript: rows as `millrace sql --format json` prints them; sql: CREATE TABLE statements; default: typescript"
      ),
      Flag.withDefault("typescript")
    )
  },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("#see/exportTypes")),
      ({ exportTypes }) => exportTypes(options)
    )
).pipe(
  Command.withDescription("Print the rows as TypeScript types, or the tables as SQL"),
  Command.withExamples([
    { command: "millrace export types docs.yaml > rows.ts", description: "a type for the rows of each table" }
  ])
)

export const exports = Command.make("export").pipe(
  Command.withDescription("Describe the tables of a pipeline to other tools: dbt, TypeScript, SQL"),
  Command.withSubcommands([dbt, types])
)
