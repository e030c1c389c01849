/** How a source fails: what a run does about it follows from `retryable` and `over`. */
import * as Schema from "effect/Schema"

/**
 * A source that cannot continue. The message says what happened, to what, and what to do. `retryable`: the same read
 * may succeed a little later. `over`: only a new run helps.
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
  /** Whether the same read may succeed a little later. */
  retryable: Schema.Boolean,
  /** Whether this reading cannot go on whatever happens, as when its job has failed or is gone: only a new run helps. */
  over: Schema.optionalKey(Schema.Boolean),
  cause: Schema.optionalKey(Schema.Defect())
}) {}
