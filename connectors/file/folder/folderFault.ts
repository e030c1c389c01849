/** Why a path of this machine cannot be a folder, before anything is read for it. */
import { statSync } from "node:fs"
import * as Path from "node:path"

/** A file that is there in its place, or in that of a folder above it. */
export const folderFault = (folder: string): string | undefined => {
  const there = statSync(folder, { throwIfNoEntry: false })
  if (there?.isDirectory() === true) return undefined
  if (there !== undefined) return `${folder} is a file, and would have to be a folder; name another path`
  const above = Path.dirname(folder)
  return above === folder ? undefined : folderFault(above)
}
