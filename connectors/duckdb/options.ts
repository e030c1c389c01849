/** The options of a sink of `type: duckdb`. */
import * as Schema from "effect/Schema"
import * as Location from "#engine/Location"
import * as Sink from "#engine/Sink"
import { schemaName, schemaRule } from "./Place.ts"

/**
 * The options of a sink of `type: duckdb` in a pipeline file.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Options } from "millrace/connectors/duckdb"
 *
 * console.log(Schema.decodeUnknownSync(Options)({ path: "./my.duckdb" }).path) // "./my.duckdb"
 * ```
 */
export const Options = Schema.Struct({
  path: Location.path.annotate({
    description:
      "the database file, relative to the pipeline file; the file and its folders are created if they are missing"
  }),
  schema: Schema.optionalKey(Schema.String.check(Schema.isPattern(schemaName, { expected: schemaRule }))).annotate({
    description: "the schema for the tables and for Millrace's records of its runs; created if missing; default: main"
  }),
  publish: Schema.optionalKey(Location.path).annotate({
    description: "the file for a copy of the database, made after each commit for readers; runs never lock it"
  }),
  write: Sink.writeOption,
  removed: Sink.removedOption,
  shared: Sink.sharedOption
})
export type Options = typeof Options.Type
