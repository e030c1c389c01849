/**
 * `millrace diff TABLE [FILE...]`: what changed in a table between two loads. The file may come first, as it does for
 * `sql`, `why` and `report`.
 */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "#see/flags"
import { format, formatOf } from "#see/format"

const load = "a run id or its first characters, a time, `previous` or `latest`"

export const diff = Command.make(
  "diff",
  {
    table: Argument.String("table").pipe(Argument.withDescription("the table, as `millrace plan` names it")),
    files: flags.anyFiles,
    vars: flags.vars,
    from: Flag.String("from").pipe(
      Flag.withDescription(`the older load: ${load}; default: previous`),
      Flag.withDefault("previous")
    ),
    to: Flag.String("to").pipe(
      Flag.withDescription(`the newer load: ${load}; default: latest`),
      Flag.withDefault("latest")
    ),
    sink: Flag.String("sink").pipe(
      Flag.withDescription("the sink to compare; default: the first sink that has both loads"),
      Flag.optional
    ),
    columns: Flag.String("column").pipe(
      Flag.withDescription(
        "a column to compare; may be repeated; default: the columns that decide whether a row has changed (its fingerprint)"
      ),
      Flag.atLeast(0)
    ),
    limit: Flag.Int("limit").pipe(
      Flag.withDescription(
        "the maximum number of rows to show; default: 50; with --html: 1,000; as JSON or Arrow: all"
      ),
      Flag.optional
    ),
    html: Flag.String("html").pipe(
      Flag.withDescription("write the rows to this file, as one HTML page that needs no other files"),
      Flag.optional
    ),
    ...format
  },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("#see/diffTable")),
      ({ diffTable }) => diffTable({ ...options, ...tableFirst(options), format: formatOf(options) })
    )
).pipe(
  Command.withDescription("Show rows, fields and words that changed between two loads of a table"),
  Command.withExamples([
    { command: "millrace diff pages docs.yaml", description: "what the last run changed" },
    {
      command: "millrace diff pages --from 2026-11-01 --html changes.html",
      description: "since a day, as an HTML page"
    }
  ])
)

interface Arguments {
  readonly table: string
  readonly files: ReadonlyArray<string>
}

/** The first argument that does not end in .yaml or .yml is the table. */
export const tableFirst = ({ files, table }: Arguments): Arguments => {
  const named = [table, ...files]
  const at = named.findIndex((name) => !/\.ya?ml$/i.test(name))
  return at <= 0 ? { table, files } : { table: named[at] ?? table, files: named.toSpliced(at, 1) }
}
