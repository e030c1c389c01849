/** The error of a source. `retryable` and `over` decide what the run does. */
import * as Schema from "effect/Schema"

/**
 * A source that cannot continue. The message says what happened, to what, and what to do. `retryable`: reading may
 * succeed later. `over`: this run cannot be continued; only a new run helps.
 *
 * @example
 * ```ts
 * import { Source } from "millrace"
 *
 * const gone = new Source.SourceError({ source: "lines", message: "names.txt is missing; create it", retryable: false })
 * console.log(gone._tag) // "SourceError"
 * ```
 */
export class SourceError extends Schema.TaggedError<SourceError>()("SourceError", {
  /** The type of the source. */
  source: Schema.String,
  message: Schema.String,
  /** Whether reading may succeed later. */
  retryable: Schema.Boolean,
  /** Whether this run can never continue, for example because its job failed or is gone: only a new run helps. */
  over: Schema.optionalKey(Schema.Boolean),
  cause: Schema.optionalKey(Schema.Defect())
}) {}
