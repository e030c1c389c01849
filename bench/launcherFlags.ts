/** How `bin/millrace` starts Node: for what is measured of Millrace without its command line. */
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"

export const launcherFlags = (): ReadonlyArray<string> => {
  const launcher = readFileSync(join(resolve(import.meta.dirname, ".."), "bin/millrace"), "utf8")
  const flags = /^flags="(.*)"$/m.exec(launcher)?.[1]
  if (flags === undefined) throw new Error("bin/millrace does not say with which flags it starts Node")
  return flags.split(" ")
}
