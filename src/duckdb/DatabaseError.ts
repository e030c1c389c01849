/** How DuckDB fails: what it said, and the names that it has in mind. */
import * as Schema from "effect/Schema"
import { spokenReason } from "../text/systemReason.ts"

/** A statement that DuckDB refused, in its own words. */
export class DatabaseError extends Schema.TaggedError<DatabaseError>()("DatabaseError", {
  message: Schema.String,
  /** The names that it has in mind where one is wrong: `Candidate bindings: "title", "status_code"`. */
  candidates: Schema.optionalKey(Schema.String),
  cause: Schema.optionalKey(Schema.Defect())
}) {
  /** The first line of what DuckDB says is the news; the rest points into SQL that no user wrote. */
  static from(cause: unknown): DatabaseError {
    const text = cause instanceof Error ? cause.message : String(cause)
    const [first = text] = text.replace(/^(?:Invalid Input Error|Failed to extract statements): /, "").split("\n")
    const candidates = candidatesIn(text)
    return new DatabaseError({ message: plainly(first), cause, ...(candidates === undefined ? {} : { candidates }) })
  }
}

/** What the system refuses DuckDB, and a damaged file, in words that say what to do. */
const plainly = (said: string): string => {
  const reason = spokenReason(said)
  const [, file] = /"([^"]+)"[^"]*$/.exec(said) ?? []
  if (reason !== undefined && file !== undefined) return `${file}: ${reason}`
  return /Corrupt database file|Could not read enough bytes/.test(said)
    ? "the database file is damaged; put a good copy of it back, or move it away and load it anew with `millrace replay`"
    : said
}

/** The schema that rows come into, and the columns of our own, are nothing that a user can name. */
const candidatesIn = (text: string): string | undefined => {
  const [, said] = /^(Did you mean .+|Candidate bindings: .+)$/m.exec(text) ?? []
  // A table of DuckDB's own is not what anybody meant.
  if (said !== undefined && !said.startsWith('Did you mean "pg_')) {
    const shown = said.replace("bindings: :", "bindings:").replaceAll('"came.', '"')
    const open = shown.replaceAll(/(, )?"_millrace_\w+"/g, "").replace(": , ", ": ")
    return open.endsWith(": ") ? undefined : open
  }
  const [, list] = /^\s*Candidate functions:\n((?:\t.+\n)+)/m.exec(text) ?? []
  const functions = list?.trim().split(/\n\t/) ?? []
  return functions.length === 0
    ? undefined
    : `Candidate functions: ${functions.slice(0, 8).join(", ")}${functions.length > 8 ? " ..." : ""}`
}
