/** The options of a sink of `type: memory`. */
import * as Schema from "effect/Schema"
import * as Sink from "#engine/Sink"

/**
 * The options of a sink of `type: memory` in a pipeline file.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Options } from "millrace/connectors/memory"
 *
 * console.log(Schema.decodeUnknownSync(Options)({ name: "preview" }).name) // "preview"
 * ```
 */
export const Options = Schema.Struct({
  name: Schema.NonEmptyString.annotate({ description: "the name of the database in this process" }),
  schema: Schema.optionalKey(Schema.NonEmptyString).annotate({
    description: "the schema of the database for the tables, separate from all others; default: none"
  }),
  write: Sink.writeOption,
  removed: Sink.removedOption,
  shared: Sink.sharedOption
})
export type Options = typeof Options.Type
