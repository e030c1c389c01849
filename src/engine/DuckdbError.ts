/** The error of a statement: DuckDB's message, and the names that it suggests. */
import * as Schema from "effect/Schema"
import { spokenReason } from "#base/systemReason"

/** A statement that DuckDB refused, with its message. */
export class DatabaseError extends Schema.TaggedError<DatabaseError>()("DatabaseError", {
  message: Schema.String,
  /** The names that DuckDB suggests for a wrong one: `Candidate bindings: "title", "status_code"`. */
  candidates: Schema.optionalKey(Schema.String),
  cause: Schema.optionalKey(Schema.Defect())
}) {
  /** Uses the first line of DuckDB's message; the other lines show SQL that no user wrote. */
  static from(cause: unknown): DatabaseError {
    const text = cause instanceof Error ? cause.message : String(cause)
    const [first = text] = text.replace(/^(?:Invalid Input Error|Failed to extract statements): /, "").split("\n")
    const candidates = candidatesIn(text)
    return new DatabaseError({ message: plainly(first), cause, ...(candidates === undefined ? {} : { candidates }) })
  }
}

/** The message for an error of the system or a damaged file, with what to do; otherwise DuckDB's own message. */
const plainly = (message: string): string => {
  const reason = spokenReason(message)
  const [, file] = /"([^"]+)"[^"]*$/.exec(message) ?? []
  if (reason !== undefined && file !== undefined) return `${file}: ${reason}`
  return /Corrupt database file|Could not read enough bytes/.test(message)
    ? "the database file is damaged; put a good copy of it back, or move it away and load its rows again with `millrace replay`"
    : message
}

/** The names that DuckDB suggests, without the schema of the stage and hidden columns, which users cannot name. */
const candidatesIn = (text: string): string | undefined => {
  const [, suggestion] = /^(Did you mean .+|Candidate bindings: .+)$/m.exec(text) ?? []
  // A suggested system table of DuckDB does not help.
  if (suggestion !== undefined && !suggestion.startsWith('Did you mean "pg_')) {
    const shown = suggestion.replace("bindings: :", "bindings:").replaceAll('"came.', '"')
    const open = shown.replaceAll(/(, )?"_millrace_\w+"/g, "").replace(": , ", ": ")
    return open.endsWith(": ") ? undefined : open
  }
  const [, list] = /^\s*Candidate functions:\n((?:\t.+\n)+)/m.exec(text) ?? []
  const functions = list?.trim().split(/\n\t/) ?? []
  return functions.length === 0
    ? undefined
    : `Candidate functions: ${functions.slice(0, 8).join(", ")}${functions.length > 8 ? " ..." : ""}`
}
