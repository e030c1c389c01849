/** `millrace sql FILE QUERY` and `millrace shell FILE`: ask the tables that a pipeline has loaded. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "../flags.ts"

const sink = Flag.String("sink").pipe(
  Flag.withDescription("the sink to ask; default: the first database or lake, otherwise the first files"),
  Flag.optional
)

export const sql = Command.make(
  "sql",
  {
    file: flags.file,
    query: Argument.String("query").pipe(
      Argument.withDescription(
        'a query in DuckDB\'s SQL, such as "SELECT * FROM pages" or "SHOW TABLES"; -: read it from stdin'
      )
    ),
    vars: flags.vars,
    sink,
    asOf: Flag.String("as-of").pipe(
      Flag.withDescription(
        "the tables of a lake as a load left them, or of files as the load before did: a run id or its first characters, a time, or previous"
      ),
      Flag.optional
    ),
    format: Flag.Literals("format", ["table", "csv", "json", "arrow", "parquet"]).pipe(
      Flag.withDescription(
        "how the answer is printed: table (the first 200 rows), csv, json (one object a line), arrow (a stream of Arrow IPC) or parquet; default: table"
      ),
      Flag.withDefault("table")
    ),
    output: Flag.String("output").pipe(Flag.withDescription("the file for the answer; default: stdout"), Flag.optional)
  },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../sql/askSql.ts")),
      ({ askSql }) => askSql(options)
    )
).pipe(
  Command.withDescription("Ask the tables that a pipeline has loaded, in SQL; reads only"),
  Command.withExamples([
    { command: 'millrace sql docs.yaml "SELECT url, title FROM pages LIMIT 5"', description: "the first pages" },
    { command: 'millrace sql docs.yaml "SUMMARIZE pages"', description: "what each column holds" },
    {
      command: 'millrace sql docs.yaml "FROM pages" --format parquet --output pages.parquet',
      description: "a table as a file"
    }
  ])
)

export const shell = Command.make("shell", { file: flags.file, vars: flags.vars, sink }, (options) =>
  Effect.flatMap(
    Effect.promise(() => import("../sql/sqlShell.ts")),
    ({ sqlShell }) => sqlShell(options)
  )
).pipe(
  Command.withDescription("Ask the tables that a pipeline has loaded, question after question; reads only"),
  Command.withExamples([
    { command: "millrace shell docs.yaml", description: "type questions; .help says more" },
    { command: "millrace shell docs.yaml < questions.sql", description: "ask all questions of a file" }
  ])
)
