/** What a pipeline file may say under a sink of `type: memory`. */
import * as Schema from "effect/Schema"
import * as Sink from "../../src/pipeline/Sink.ts"

export const Options = Schema.Struct({
  name: Schema.NonEmptyString.annotate({ description: "the name of the database in this process" }),
  write: Sink.writeOption,
  removed: Sink.removedOption
})
export type Options = typeof Options.Type
