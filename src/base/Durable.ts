/**
 * Names that survive a power failure: a rename is on the disk only when the folder is that has the name.
 *
 * Whatever a file decides, it is written beside its place, flushed, and renamed into it by this function.
 */
import { closeSync, fsyncSync, openSync } from "node:fs"
import * as Fs from "node:fs/promises"
import { dirname } from "node:path"

/** Renames a file whose bytes are flushed, and syncs the folder with its new name. */
export const rename = async (from: string, to: string): Promise<void> => {
  await Fs.rename(from, to)
  await sync(dirname(to))
}

/** Syncs a file, or the names in a folder. */
export const sync = async (path: string): Promise<void> => {
  const handle = await Fs.open(path, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The same, for what cannot wait. */
export const syncNow = (path: string): void => {
  const file = openSync(path, "r")
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
