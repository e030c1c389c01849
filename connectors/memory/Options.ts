/** What a pipeline file may say under a sink of `type: memory`. */
import * as Schema from "effect/Schema"
import * as Sink from "../../src/pipeline/Sink.ts"

export const Options = Schema.Struct({
  name: Schema.NonEmptyString.annotate({ description: "the name of the database in this process" }),
  schema: Schema.optionalKey(Schema.NonEmptyString).annotate({
    description: "the tables are those of this schema of the database, apart from all others; default: none"
  }),
  write: Sink.writeOption,
  removed: Sink.removedOption,
  shared: Sink.sharedOption
})
export type Options = typeof Options.Type

/** The name that tables are kept under: a schema is a database of its own. */
export const databaseOf = ({ name, schema }: Options): string => (schema === undefined ? name : `${name}.${schema}`)
