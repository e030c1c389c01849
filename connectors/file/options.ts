/** The options of a sink of `type: file`. */
import * as Schema from "effect/Schema"
import * as Location from "#engine/Location"
import * as Sink from "#engine/Sink"

const isDelimiter = Schema.isPattern(/^[^"\r\nA-Za-z0-9.+-]$/)

/**
 * The options of a sink of `type: file` in a pipeline file.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Options } from "millrace/connectors/file"
 *
 * console.log(Schema.decodeUnknownSync(Options)({ path: "./out", format: "csv" }).format) // "csv"
 * ```
 */
export const Options = Schema.Struct({
  path: Location.path.annotate({
    description: "the folder of the files, relative to the pipeline file; created if missing"
  }),
  format: Schema.Literals(["jsonl", "csv", "arrow", "parquet"]).annotate({
    description: "what the file of each table is: pages.jsonl, pages.csv, pages.arrow or pages.parquet"
  }),
  header: Schema.optionalKey(Schema.Boolean).annotate({
    description: "csv: whether the first line has the names of the columns; default: true"
  }),
  delimiter: Schema.optionalKey(Schema.String.check(isDelimiter)).annotate({
    description: "csv: the character between two values; default: a comma"
  }),
  formulas: Schema.optionalKey(Schema.Literals(["text", "keep"])).annotate({
    description:
      "csv: what becomes of a text that a spreadsheet would run, such as `=1+2`: text (it gets an apostrophe before it) or keep; default: text"
  }),
  schema: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[A-Za-z][A-Za-z0-9_]*$/))).annotate({
    description: "a folder below path for the tables, separate from all other tables there; default: none"
  }),
  write: Sink.writeOption,
  shared: Sink.sharedOption
})
export type Options = typeof Options.Type
