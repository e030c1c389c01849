/**
 * Whether a command uses a pipeline file that names modules of its user.
 *
 * The installed command line is a bundle that contains Effect. Other modules cannot import this Effect, and values of a second
 * copy do not work with it. So such a command runs on the single modules of the package, which a user's module can share. They
 * start a few tenths of a second more slowly, so all other commands use the bundle.
 *
 * It searches the text of files for the keys, and may find too much: that only costs this time.
 */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"

/** An environment variable: "own" selects the single modules, for files that this search cannot find. */
const variable = "MILLRACE_MODULES"

export const namesOwnModules = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string | undefined>>,
  folder: string
): boolean => {
  if (env[variable] === "own") return true
  const [command = "-"] = args
  if (command.startsWith("-")) return false
  const named = args.slice(1).filter((argument) => !argument.startsWith("-") || /\.ya?ml$/.test(argument))
  const files = named.flatMap((argument) => pipelineFiles(join(folder, argument), argument))
  const all = files.some(({ isNamed }) => isNamed) ? files : [...files, ...pipelineFiles(folder, folder)]
  return all.some(({ path }) => mentions(path))
}

const maxFiles = 200
const maxBytes = 1_000_000

interface Found {
  readonly path: string
  /** Whether the argument is the file itself. */
  readonly isNamed: boolean
}

/** The file that an argument names, or the pipeline files of the folder that it names. */
const pipelineFiles = (joined: string, argument: string): ReadonlyArray<Found> => {
  const place = argument.startsWith("/") ? argument : joined
  try {
    if (isPipeline.test(place)) return statSync(place).isFile() ? [{ path: place, isNamed: true }] : []
    const names = readdirSync(place).filter((name) => isPipeline.test(name))
    return names.slice(0, maxFiles).map((name) => ({ path: join(place, name), isNamed: false }))
  } catch {
    // Not a path, or one that cannot be read: the command reports that itself.
    return []
  }
}

const isPipeline = /\.ya?ml$/

const mentions = (path: string): boolean => {
  try {
    return statSync(path).size <= maxBytes && keys.test(readFileSync(path, "utf8"))
  } catch {
    return false
  }
}

const keys = /(?:^|[\s{,-])["']?(?:connectors|map)["']?\s*:/m
