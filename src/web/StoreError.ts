/**
 * The error of every store of these rooms. A room says what it needs of a store and names no database; the store's
 * implementation turns the database's errors into this one.
 */
import * as Schema from "effect/Schema"

export class StoreError extends Schema.TaggedError<StoreError>()("StoreError", {
  /** For the operator: it may contain the address and the user of a database. */
  message: Schema.String,
  /** Whether a retry may succeed, as when the database is unreachable or busy. */
  isRetryable: Schema.Boolean,
  /** Whether the entry already exists: of two writers that enter it at once, one gets this error. */
  isDuplicate: Schema.optionalKey(Schema.Boolean),
  cause: Schema.optionalKey(Schema.Defect())
}) {}
