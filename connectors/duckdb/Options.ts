/** What a pipeline file may say under a sink of `type: duckdb`. */
import * as Schema from "effect/Schema"
import * as Place from "../../src/pipeline/Place.ts"
import * as Sink from "../../src/pipeline/Sink.ts"

export const Options = Schema.Struct({
  path: Place.path.annotate({
    description: "the database file, relative to the pipeline file; it and its folders are made when missing"
  }),
  publish: Schema.optionalKey(Place.path).annotate({
    description: "where a copy of the database is put after each commit, for readers: no run ever locks it"
  }),
  write: Sink.writeOption,
  removed: Sink.removedOption
})
export type Options = typeof Options.Type
