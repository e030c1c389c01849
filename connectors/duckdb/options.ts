/** What a pipeline file may say under a sink of `type: duckdb`. */
import * as Schema from "effect/Schema"
import * as Location from "../../src/pipeline/Location.ts"
import * as Sink from "../../src/pipeline/Sink.ts"
import { schemaName, schemaRule } from "./file/Place.ts"

export const Options = Schema.Struct({
  path: Location.path.annotate({
    description: "the database file, relative to the pipeline file; it and its folders are made when missing"
  }),
  schema: Schema.optionalKey(Schema.String.check(Schema.isPattern(schemaName, { expected: schemaRule }))).annotate({
    description:
      "the schema of the database in which the tables are, and what Millrace keeps of its runs; made when missing; default: main"
  }),
  publish: Schema.optionalKey(Location.path).annotate({
    description: "where a copy of the database is put after each commit, for readers: no run ever locks it"
  }),
  write: Sink.writeOption,
  removed: Sink.removedOption,
  shared: Sink.sharedOption
})
export type Options = typeof Options.Type
