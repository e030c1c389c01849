/** The ledger of a schedule cannot be opened, read or written, or another machine has it. */
import * as Schema from "effect/Schema"

export class LedgerError extends Schema.TaggedError<LedgerError>()("LedgerError", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}
