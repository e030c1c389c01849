/**
 * What a store fails with, whatever it is kept in. The rooms say what they need of stores and name no database; whoever
 * keeps one makes this of what the database says.
 */
import * as Schema from "effect/Schema"

export class StoreError extends Schema.TaggedError<StoreError>()("StoreError", {
  /** For the operator: it may hold the address of a database and its user. */
  message: Schema.String,
  /** Whether the same may succeed later, as where the database is away or busy. */
  isRetryable: Schema.Boolean,
  /** Whether the store has already what was to be entered: of two who enter it at once, one is told this. */
  isDuplicate: Schema.optionalKey(Schema.Boolean),
  cause: Schema.optionalKey(Schema.Defect())
}) {}
