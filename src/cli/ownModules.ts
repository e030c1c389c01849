/**
 * Whether a command is about a pipeline file that names modules of its user.
 *
 * The command line of a package is bundles, with Effect inside: nobody else can import that Effect, and a second copy makes
 * values that are strangers to it. So such a command runs on the modules of the package as they are, which a user's module
 * can share. They take a few tenths of a second longer to start, and only these commands wait for them.
 *
 * It looks for the keys in the text and need not be right: one file too many costs that time.
 */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"

/** The environment variable that says it, where a file is found in a way that this does not see: "own". */
export const variable = "MILLRACE_MODULES"

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

/** The file of an argument, or the files of the folder that it is. */
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
