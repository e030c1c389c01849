/**
 * A lock that one process holds, and that falls when the process does, however it ends.
 *
 * It is an exclusive transaction of SQLite on an empty file: the system's own file lock, which Node has no other way to.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { sqlite } from "./SqliteFile.ts"

export interface Lock {
  readonly release: () => void
}

/**
 * Takes the lock; a number or "" where somebody else has it: the process, as far as it is known. `left`: the lock that a
 * process left behind, which is not made where it is gone.
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
