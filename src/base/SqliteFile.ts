/**
 * A small SQLite database in a file, for our own data.
 *
 * Guarantee: a change is on the disk when the call returns. If another process is writing, a call waits at most five seconds.
 * Only the owner can read the file, because pipeline files and events may be private.
 */
import { closeSync, openSync } from "node:fs"
import { dirname } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import { makePrivateFolderSync } from "./privateFolder.ts"

/** Opens or creates the file, and creates its folders. `tables`: statements that run each time the file is opened. */
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

/** Creates a file that only its owner can read. An existing file keeps its permissions. */
export const makePrivate = (path: string): void => {
  makePrivateFolderSync(dirname(path))
  closeSync(openSync(path, "a", 0o600))
}

/** Runs `run` in a transaction: if it throws, nothing is changed. */
export const whole = <A>(database: DatabaseSync, run: () => A): A => {
  database.exec("BEGIN IMMEDIATE")
  try {
    const answer = run()
    database.exec("COMMIT")
    return answer
  } catch (cause) {
    // If the disk is full, SQLite has already rolled back.
    if (database.isOpen && database.isTransaction) database.exec("ROLLBACK")
    throw cause
  }
}
