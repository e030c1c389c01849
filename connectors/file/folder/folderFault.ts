/**
 * Why a path on this machine cannot be a folder: it, or a folder above it, is a file. This is checked before the source is
 * read.
 */
import { type Stats, statSync } from "node:fs"
import * as Path from "node:path"

/** The fault; undefined: there is none, or the path cannot be checked, and opening it will report the error. */
export const folderFault = (folder: string): string | undefined => {
  const there = statsOf(folder)
  if (there === "unknown" || there?.isDirectory() === true) return undefined
  if (there !== undefined) return `${folder} is a file, and would have to be a folder; name another path`
  const above = Path.dirname(folder)
  return above === folder ? undefined : folderFault(above)
}

/** What is at a path; undefined: nothing. */
const statsOf = (path: string): Stats | "unknown" | undefined => {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return "unknown"
  }
}
