/** The options of a sink of `type: postgres`. */
import * as Schema from "effect/Schema"
import * as Sink from "#engine/Sink"
import { isDatabaseUrl, schemaName, schemaRule } from "./DatabaseLocation.ts"

const description =
  "the database: postgres://USER:PASSWORD@HOST:5432/DATABASE, best from a secret: ${secrets.NAME}; ?sslmode=require or " +
  "verify-full asks for TLS; the database must exist"

const DatabaseUrl = Schema.String.check(
  Schema.makeFilter((text: string) => isDatabaseUrl(text), {
    expected: "postgres://USER:PASSWORD@HOST:5432/DATABASE, with %23 for # and so on in the password",
    toJsonSchema: () => ({})
  })
)

/**
 * The options of a sink of `type: postgres` in a pipeline file.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Options } from "millrace/connectors/postgres"
 *
 * console.log(Schema.is(Options)({})) // false
 * ```
 */
export const Options = Schema.Struct({
  // Editors show the description of the encoded schema, and the reference that of the decoded one.
  url: Schema.RedactedFromValue(DatabaseUrl.annotate({ description })).annotate({ description }),
  schema: Schema.optionalKey(Schema.String.check(Schema.isPattern(schemaName, { expected: schemaRule }))).annotate({
    description: "the schema for the tables and for Millrace's records of its runs; created if missing; default: public"
  }),
  write: Sink.writeOption,
  removed: Sink.removedOption,
  shared: Sink.sharedOption
})
export type Options = typeof Options.Type
