/**
 * Why a path of this machine cannot be a folder: a file is in its place, or in that of a folder above it. This is known before
 * anything is read for it, or written.
 */
import { type Stats, statSync } from "node:fs"
import * as Path from "node:path"

/** Undefined where nothing is in the way. A place that this user may not look at can be a folder: who opens it says more. */
export const folderFault = (folder: string): string | undefined => {
  const there = statsOf(folder)
  if (there === "unknown" || there?.isDirectory() === true) return undefined
  if (there !== undefined) return `${folder} is a file, and would have to be a folder; name another path`
  const above = Path.dirname(folder)
  return above === folder ? undefined : folderFault(above)
}

/** Undefined where nothing is. */
const statsOf = (path: string): Stats | "unknown" | undefined => {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return "unknown"
  }
}
