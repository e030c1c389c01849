/** What disks, caches and people do to a file, drawn by a seed. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { dirname, join, relative } from "node:path"

export const kinds = ["bit", "byte", "cut", "zeroed block", "empty", "missing", "older version"] as const
export type Kind = (typeof kinds)[number]

/** Numbers below a limit. */
type Random = (below: number) => number

/** Damages a file. `older`: another version of it. False: the file is as it was, because nothing of the kind can be done to it. */
export const damage = (file: string, kind: Kind, random: Random, older: string | undefined): boolean => {
  const bytes = readFileSync(file)
  const before = Buffer.from(bytes)
  switch (kind) {
    case "missing":
      rmSync(file)
      return true
    case "empty":
      writeFileSync(file, "")
      return before.length > 0
    case "older version":
      if (older === undefined) return false
      copyFileSync(older, file)
      return !before.equals(readFileSync(file))
    case "cut":
      writeFileSync(file, bytes.subarray(0, random(bytes.length)))
      return before.length > 0
    case "bit":
    case "byte":
    case "zeroed block": {
      if (bytes.length === 0) return false
      const at = random(bytes.length)
      if (kind === "bit") bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8))
      else if (kind === "byte") bytes[at] = random(256)
      else bytes.fill(0, at - (at % 512), Math.min(bytes.length, at - (at % 512) + 512))
      writeFileSync(file, bytes)
      return !before.equals(bytes)
    }
  }
}

/** The files below a folder, by their paths in it. */
export const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()

/** Makes a folder what another one is. */
export const restore = (from: string, to: string): void => {
  rmSync(to, { recursive: true, force: true })
  for (const path of filesIn(from)) {
    mkdirSync(dirname(join(to, path)), { recursive: true })
    copyFileSync(join(from, path), join(to, path))
  }
}

/** The same file in an earlier state of its folder, where it differs; otherwise another file of its kind. */
export const olderOf = (
  path: string,
  stages: ReadonlyArray<string>,
  folder: string,
  kindOf: (path: string) => string
) => {
  const bytes = readFileSync(join(folder, path))
  const earlier = stages
    .map((stage) => join(stage, path))
    .filter((file) => existsSync(file) && statSync(file).isFile() && !readFileSync(file).equals(bytes))
  const others = filesIn(folder)
    .filter(
      (other) => other !== path && dirname(other) === dirname(path) && kindOf(other) === kindOf(path) && other < path
    )
    .map((other) => join(folder, other))
  return earlier.at(-1) ?? others.at(-1)
}
