/** A file, or a folder of files, that cannot be read: which, where in it, and why. */
import * as Schema from "effect/Schema"

export class CorpusError extends Schema.TaggedError<CorpusError>()("CorpusError", {
  /** Relative to the corpus. */
  file: Schema.String,
  /** From 1, where it is known. */
  line: Schema.optionalKey(Schema.Int),
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}
