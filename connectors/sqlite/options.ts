/** The options of a sink of `type: sqlite`. */
import * as Schema from "effect/Schema"
import * as Location from "#engine/Location"
import * as Sink from "#engine/Sink"

/**
 * The options of a sink of `type: sqlite` in a pipeline file.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Options } from "millrace/connectors/sqlite"
 *
 * console.log(Schema.decodeUnknownSync(Options)({ path: "./my.sqlite" }).path) // "./my.sqlite"
 * ```
 */
export const Options = Schema.Struct({
  path: Location.path.annotate({
    description:
      "the database file, relative to the pipeline file; the file and its folders are created if they are missing"
  }),
  busy_timeout: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3_600_000 }))).annotate({
    description: "how long to wait, in milliseconds, while another program writes the file; default: 30000"
  }),
  write: Sink.writeOption,
  removed: Sink.removedOption,
  shared: Sink.sharedOption
})
export type Options = typeof Options.Type
