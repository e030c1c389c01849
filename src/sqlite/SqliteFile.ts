/**
 * A small database of our own in a file: how it is opened, and how several changes are one.
 *
 * The law: a change is on the disk when the call returns; another process that writes is waited for, five seconds at
 * most; and only its owner can read the file, as pipeline files and events may be private.
 */
import { closeSync, mkdirSync, openSync } from "node:fs"
import { dirname } from "node:path"
import type { DatabaseSync } from "node:sqlite"

/** Opens the file, or makes it, with the folders on the way. `tables`: statements that may run each time it is opened. */
export const open = (path: string, tables: string): DatabaseSync => {
  if (path !== ":memory:") makePrivate(path)
  const database = new (sqlite().DatabaseSync)(path, { timeout: 5000 })
  try {
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    database.exec(tables)
    return database
  } catch (cause) {
    database.close()
    throw cause
  }
}

/** Not imported: a Node that lacks it comes as far as the line that says so (`src/oldNode.ts`). */
export const sqlite = () => process.getBuiltinModule("node:sqlite")

/** Private from its first moment on; one that is there stays as it is. */
export const makePrivate = (path: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  closeSync(openSync(path, "a", 0o600))
}

/** All that `run` changes, or nothing of it where it throws. */
export const whole = <A>(database: DatabaseSync, run: () => A): A => {
  database.exec("BEGIN IMMEDIATE")
  try {
    const answer = run()
    database.exec("COMMIT")
    return answer
  } catch (cause) {
    // SQLite itself goes back where the disk is full.
    if (database.isOpen && database.isTransaction) database.exec("ROLLBACK")
    throw cause
  }
}
