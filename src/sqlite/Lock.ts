/**
 * A lock that one process holds, and that falls when the process does, however it ends.
 *
 * It is an exclusive transaction of SQLite on an empty file: the system's own file lock, which Node has no other way to.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"

export interface Lock {
  readonly release: () => void
}

/** Takes the lock; a number or "" where somebody else has it: the process, as far as it is known. */
export const take = (path: string): Lock | { readonly owner: string } => {
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE")
  } catch (cause) {
    database.close()
    if (cause instanceof Error && cause.message.includes("locked")) return { owner: ownerOf(path) }
    throw cause
  }
  writeFileSync(`${path}.pid`, String(process.pid))
  return { release: () => database.close() }
}

const ownerOf = (path: string): string => {
  try {
    return readFileSync(`${path}.pid`, "utf8")
  } catch {
    return ""
  }
}
