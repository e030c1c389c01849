/**
 * The folders of our own data: `.millrace` and what is in it, and the data folder of a service. They hold what pages answered, which
 * may be private, so only their owner can enter them, whatever the files in them allow.
 *
 * A folder that is there already keeps its permissions: whoever opened it to others meant it.
 */
import { mkdirSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { dirname, resolve, sep } from "node:path"

/** Makes a folder and those above it. */
export const makePrivateFolder = async (folder: string): Promise<void> => {
  await mkdir(aboveOf(folder), { recursive: true })
  await mkdir(folder, { recursive: true, mode })
}

/** The same, at once. */
export const makePrivateFolderSync = (folder: string): void => {
  mkdirSync(aboveOf(folder), { recursive: true })
  mkdirSync(folder, { recursive: true, mode })
}

const mode = 0o700

/** The folder of the user in which ours are. */
const aboveOf = (folder: string): string => {
  const steps = resolve(folder).split(sep)
  const own = steps.lastIndexOf(".millrace")
  return own > 0 ? steps.slice(0, own).join(sep) || sep : dirname(resolve(folder))
}
