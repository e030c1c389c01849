/**
 * A lock that one process holds. The system releases it when the process ends, however it ends.
 *
 * It is an exclusive SQLite transaction on an empty file, which uses a file lock of the system: Node has no other API for it.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { sqlite } from "./SqliteFile.ts"

export interface Lock {
  readonly release: () => void
}

/**
 * Takes the lock. If another process has it, returns the id of that process, or "" if the id is not known. "left": takes only
 * a lock file that exists, which another process left behind.
 */
export const take = (path: string, from: "anew" | "left" = "anew"): Lock | { readonly owner: string } => {
  const file = from === "anew" ? path : new URL(`${pathToFileURL(path).href}?mode=rw`)
  const database = new (sqlite().DatabaseSync)(file, { timeout: 0 })
  try {
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE")
  } catch (cause) {
    database.close()
    if (cause instanceof Error && cause.message.includes("locked")) return { owner: ownerOf(path) }
    throw cause
  }
  if (from === "anew") writeFileSync(`${path}.pid`, String(process.pid))
  return { release: () => database.close() }
}

const ownerOf = (path: string): string => {
  try {
    return readFileSync(`${path}.pid`, "utf8")
  } catch {
    return ""
  }
}
