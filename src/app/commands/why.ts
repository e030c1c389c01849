/** `millrace why FILE TABLE KEY COLUMN`: where a value comes from. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "#see/flags"

export const why = Command.make(
  "why",
  {
    file: flags.file,
    table: Argument.String("table").pipe(Argument.withDescription("the table, as `millrace plan` names it")),
    key: Argument.String("key").pipe(
      Argument.withDescription("the key of the row: its value, a=1,b=2 for several columns, or a JSON object")
    ),
    column: Argument.String("column").pipe(Argument.withDescription("the column of the value")),
    vars: flags.vars,
    sink: Flag.String("sink").pipe(
      Flag.withDescription("the sink that has the row; default: the first that can be queried with SQL"),
      Flag.optional
    ),
    fetch: Flag.Boolean("fetch").pipe(
      Flag.withDescription(
        "fetch the pages that the value comes from again, at most three, to show the value in its context"
      ),
      Flag.withDefault(false)
    ),
    allowPrivate: flags.allowPrivate,
    resolve: flags.resolve,
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("print everything that is known about the value as one JSON object"),
      Flag.withDefault(false)
    )
  },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("#see/whyValue")),
      ({ whyValue }) => whyValue(options)
    )
).pipe(
  Command.withDescription(
    "Show where a value comes from: its page, its place on the page, the engine that found it, and the run"
  ),
  Command.withExamples([
    {
      command: "millrace why products.yaml products NM-LA-1000 product_title",
      description: "the pages that have the title, and its place on them"
    },
    {
      command: "millrace why products.yaml products__offers _parent_article_number=NM-LA-1000,_index=0 price --fetch",
      description: "a value of a child table, marked in its page"
    }
  ])
)
