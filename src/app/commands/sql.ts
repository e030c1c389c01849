/** `millrace sql FILE QUERY` and `millrace shell FILE`: queries on the tables that a pipeline has loaded. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "#see/flags"

const sink = Flag.String("sink").pipe(
  Flag.withDescription(
    "the sink to query; default: the first database or lake, otherwise the first sink that writes files"
  ),
  Flag.optional
)

export const sql = Command.make(
  "sql",
  {
    file: flags.file,
    query: Argument.String("query").pipe(
      Argument.withDescription(
        'a query, such as "SELECT * FROM pages" or "SHOW TABLES", in the SQL of DuckDB, or of Postgres for a Postgres sink; -: read it from stdin'
      )
    ),
    vars: flags.vars,
    sink,
    asOf: Flag.String("as-of").pipe(
      Flag.withDescription(
        "query the tables as they were after this load: a run id or its first characters, a time, or previous; a lake keeps many loads, a folder of files only the previous one"
      ),
      Flag.optional
    ),
    format: Flag.Literals("format", ["table", "csv", "json", "arrow", "parquet"]).pipe(
      Flag.withDescription(
        "how the result is printed: table (its first 200 rows), csv, json (one object per line), arrow (an Arrow IPC stream) or parquet; default: table"
      ),
      Flag.withDefault("table")
    ),
    formulas: Flag.Literals("formulas", ["text", "keep"]).pipe(
      Flag.withDescription(
        "csv: what becomes of a text that a spreadsheet would run, such as =1+2: text (it gets an apostrophe before it) or keep; default: text"
      ),
      Flag.optional
    ),
    output: Flag.String("output").pipe(Flag.withDescription("the file for the result; default: stdout"), Flag.optional)
  },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("#see/askSql")),
      ({ askSql }) => askSql(options)
    )
).pipe(
  Command.withDescription("Query the tables that a pipeline has loaded, with SQL; read-only"),
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
    Effect.promise(() => import("#see/sqlShell")),
    ({ sqlShell }) => sqlShell(options)
  )
).pipe(
  Command.withDescription("Query the tables that a pipeline has loaded, in an SQL shell; read-only"),
  Command.withExamples([
    { command: "millrace shell docs.yaml", description: "type queries; .help lists the commands" },
    { command: "millrace shell docs.yaml < queries.sql", description: "run all queries of a file" }
  ])
)
