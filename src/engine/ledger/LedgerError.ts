/** The failure of the ledger of a schedule. */
import * as Schema from "effect/Schema"

/** The file of a schedule cannot be opened, read or written, or another machine has it. */
export class LedgerError extends Schema.TaggedError<LedgerError>()("LedgerError", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}
